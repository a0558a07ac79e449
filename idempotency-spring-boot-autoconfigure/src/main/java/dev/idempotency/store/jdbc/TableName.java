package dev.idempotency.store.jdbc;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a store's table as it stands in statements: one to three identifiers with dots between them, each plain or
 * in the database's quotes. Immutable.
 *
 * @since 0.1
 */
public final class TableName {

    // What an index is named like it, and is no longer than any database allows.
    private static final int LONGEST = 48;
    private static final String INDEX = "_expires_at";
    private static final String PLAIN = "[A-Za-z_][A-Za-z0-9_$#]*";
    private static final String IDENTIFIER = PLAIN + "|\"[^\"\\p{Cntrl}]+\"|`[^`\\p{Cntrl}]+`|\\[[^\\]\\p{Cntrl}]+]";
    private static final Pattern VALID = Pattern.compile("(?:(?:" + IDENTIFIER + ")\\.){0,2}(" + IDENTIFIER + ")");
    private static final Pattern IN_SCRIPT =
            Pattern.compile("\\b" + JdbcIdempotencyStore.DEFAULT_TABLE + "(" + INDEX + ")?\\b");

    private final String name;
    private final String last;

    private TableName(String name, String last) {
        this.name = name;
        this.last = last;
    }

    /**
     * Returns a name.
     *
     * @param name such as {@code idempotency_message}, {@code ops.messages} or {@code "Ops"."Messages"}
     * @throws IllegalArgumentException if it is no name of a table, or its last part is longer than 48 characters
     */
    public static TableName of(String name) {
        Matcher matcher = VALID.matcher(Objects.requireNonNull(name, "'name' must not be null"));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "It must be a name, or a schema and a name with a dot between them, each of letters, digits and"
                            + " underscores, or in the quotes of the database.");
        }
        String last = matcher.group(1);
        if (last.length() > LONGEST) {
            throw new IllegalArgumentException("Its last part must not be longer than " + LONGEST
                    + " characters, since an index is named after it.");
        }
        return new TableName(name, last);
    }

    /** Returns a schema script with this name in place of {@value JdbcIdempotencyStore#DEFAULT_TABLE}. */
    public String in(String script) {
        return IN_SCRIPT
                .matcher(script)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) == null ? name : index()));
    }

    // An index is in the schema of its table, whose name it must not repeat.
    private String index() {
        boolean quoted = !Character.isJavaIdentifierStart(last.charAt(0));
        int end = quoted ? last.length() - 1 : last.length();
        return last.substring(0, end) + INDEX + last.substring(end);
    }

    @Override
    public String toString() {
        return name;
    }
}

package dev.idempotency.message;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The place of the id in a body, as a JSON pointer (RFC 6901). */
final class IdPointer {

    private static final Pattern SYNTAX = Pattern.compile("(/([^~/]|~[01])*)+");
    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    private final String pointer;
    private final List<String> names;

    private IdPointer(String pointer) {
        this.pointer = pointer;
        this.names = Arrays.stream(pointer.substring(1).split("/", -1))
                .map(name -> name.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    static IdPointer parse(String pointer) {
        if (!SYNTAX.matcher(pointer).matches()) {
            throw new IllegalArgumentException("No place for the id of a message in its body: '" + pointer
                    + "'. A JSON pointer begins with '/' and has '~' only in '~0' and '~1'."
                    + " Set idempotency.message-id.json-pointer to one such as '/meta/id'.");
        }
        return new IdPointer(pointer);
    }

    int depth() {
        return names.size();
    }

    String name(int depth) {
        return names.get(depth);
    }

    /** Returns the place in an array, -1 if the name at this depth is no array index. */
    int index(int depth) {
        return indexOf(names.get(depth));
    }

    static int indexOf(String name) {
        return INDEX.matcher(name).matches() ? Integer.parseInt(name) : -1;
    }

    List<String> names() {
        return names;
    }

    @Override
    public String toString() {
        return pointer;
    }
}

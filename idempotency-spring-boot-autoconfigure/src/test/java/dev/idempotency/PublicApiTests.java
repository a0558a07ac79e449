package dev.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users can compile against changes by decision only. */
class PublicApiTests {

    private static final Path APPROVED = Path.of("public-api.txt");
    private static final Path CLASSES = Path.of("target", "classes");

    @Test
    void isAsApproved() throws Exception {
        List<String> actual = publicApi();
        if (Boolean.getBoolean("public-api.approve")) {
            Files.write(APPROVED, actual);
        }
        assertThat(actual)
                .as("The public API differs from public-api.txt. If that is meant, approve it: run this test once with"
                        + " -Dpublic-api.approve=true, and commit the file with the change.")
                .isEqualTo(Files.readAllLines(APPROVED));
    }

    private static List<String> publicApi() throws IOException, ClassNotFoundException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = CLASSES.relativize(file).toString().replace(".class", "");
                Class<?> type = Class.forName(
                        name.replace(file.getFileSystem().getSeparator(), "."),
                        false,
                        PublicApiTests.class.getClassLoader());
                if (isVisible(type)) {
                    lines.add(declaration(type));
                    members(type).forEach(member -> lines.add(type.getName() + " " + member));
                }
            }
        }
        Collections.sort(lines);
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> enclosing = type.getEnclosingClass();
        boolean reachable = enclosing == null || isVisible(enclosing);
        return reachable && !type.isAnonymousClass() && !type.isSynthetic() && isVisible(type.getModifiers());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String declaration(Class<?> type) {
        String parents = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(Type::getTypeName)
                .filter(name -> !name.equals("java.lang.Object"))
                .collect(Collectors.joining(", "));
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        return type.getName() + ": " + modifiers(type.getModifiers() & ~Modifier.INTERFACE) + kind
                + (parents.isEmpty() ? "" : " of " + parents);
    }

    private static Stream<String> members(Class<?> type) {
        return Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(members -> Stream.of((Member[]) members))
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .map(PublicApiTests::signature);
    }

    private static String signature(Member member) {
        if (member instanceof Field field) {
            return modifiers(field.getModifiers()) + field.getGenericType().getTypeName() + " " + field.getName();
        }
        Executable executable = (Executable) member;
        String parameters = Arrays.stream(executable.getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"));
        String thrown = executable.getExceptionTypes().length == 0
                ? ""
                : Arrays.stream(executable.getExceptionTypes())
                        .map(Class::getName)
                        .collect(Collectors.joining(", ", " throws ", ""));
        String result = executable instanceof Method method
                ? method.getGenericReturnType().getTypeName() + " " + method.getName()
                : "new";
        String standard = executable instanceof Method method && method.isDefault() ? "default " : "";
        return modifiers(executable.getModifiers() & ~(Modifier.TRANSIENT | Modifier.VOLATILE))
                + standard
                + result
                + parameters
                + thrown;
    }

    private static String modifiers(int modifiers) {
        String text = Modifier.toString(modifiers);
        return text.isEmpty() ? "" : text + " ";
    }
}

package dev.idempotency.sample.readme;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles Java blocks as they stand: each is a whole source file, and all of them are one program. */
final class Snippets {

    private Snippets() {}

    /** Returns what the compiler has to say, warnings included. */
    static List<String> compile(List<Page.Block> blocks, Path target) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> options = List.of(
                "--release",
                "17",
                "-Xlint:all",
                "-Werror",
                "-parameters",
                "-proc:none",
                "-d",
                target.toString(),
                "-classpath",
                System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            if (blocks.isEmpty()) {
                return List.of();
            }
            compiler.getTask(
                            null,
                            files,
                            diagnostics,
                            options,
                            null,
                            blocks.stream().map(Source::new).toList())
                    .call();
        }
        return diagnostics.getDiagnostics().stream().map(Snippets::describe).toList();
    }

    private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
        String where = diagnostic.getSource() instanceof Source source
                ? source.block.page() + ":" + (source.block.line() + diagnostic.getLineNumber()) + ": "
                : "";
        return where + diagnostic.getMessage(Locale.ROOT);
    }

    // The name is of no importance, because no class in a snippet is public.
    private static final class Source extends SimpleJavaFileObject {

        private final Page.Block block;

        Source(Page.Block block) {
            super(URI.create("string:///Line" + block.line() + ".java"), Kind.SOURCE);
            this.block = block;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return block.text();
        }
    }
}

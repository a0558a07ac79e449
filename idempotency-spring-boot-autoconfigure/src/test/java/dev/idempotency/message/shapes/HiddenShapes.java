package dev.idempotency.message.shapes;

import java.util.Map;

/** Bodies whose classes another package cannot see. */
public final class HiddenShapes {

    private static int jobCalls;

    private HiddenShapes() {}

    private record Meta(String id) {}

    private record Body(Meta meta) {}

    public static Object privateRecord(String id) {
        return new Body(new Meta(id));
    }

    public static Object anonymous(String id) {
        return new Object() {
            @SuppressWarnings("unused")
            public Meta getMeta() {
                return new Meta(id);
            }
        };
    }

    static class Parent {
        private final String id;

        Parent(String id) {
            this.id = id;
        }

        public Map<String, String> getMeta() {
            return Map.of("id", id);
        }
    }

    static final class Child extends Parent {
        Child(String id) {
            super(id);
        }
    }

    public static Object subclass(String id) {
        return new Child(id);
    }

    public static Object withoutMeta() {
        return new Meta("x");
    }

    public static Object privateAccessor() {
        return new Object() {
            @SuppressWarnings("unused")
            private Meta getMeta() {
                return new Meta("x");
            }

            @SuppressWarnings("unused")
            Meta meta() {
                return new Meta("x");
            }
        };
    }

    static final class StaticAccessor {
        public static Meta getMeta() {
            return new Meta("x");
        }
    }

    public static Object staticAccessor() {
        return new StaticAccessor();
    }

    public static Object voidAccessor() {
        return new Object() {
            @SuppressWarnings("unused")
            public void meta() {
                throw new AssertionError();
            }
        };
    }

    public static Object accessorWithArgument() {
        return new Object() {
            @SuppressWarnings("unused")
            public Meta getMeta(String name) {
                return new Meta(name);
            }
        };
    }

    public static Object throwing(Throwable failure) {
        return new Object() {
            @SuppressWarnings("unused")
            public Meta getMeta() throws Throwable {
                throw failure;
            }
        };
    }

    public static Object countingJob() {
        return new Object() {
            @SuppressWarnings("unused")
            public String getJob() {
                jobCalls++;
                return "x";
            }
        };
    }

    public static int jobCalls() {
        return jobCalls;
    }
}

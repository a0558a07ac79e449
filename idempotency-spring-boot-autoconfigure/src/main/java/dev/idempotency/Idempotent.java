package dev.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A message that is delivered to this method more than once takes effect once.
 *
 * <p>The id of the message is looked up before the method is called. If it has been processed, the method is not called
 * and the delivery ends as a success, so that the broker does not deliver it again. Otherwise the method runs, and only
 * its success marks the id; whatever it throws leaves no mark and reaches the container unchanged. A message without a
 * usable id is handled unguarded and counted, unless configured otherwise.
 *
 * <p>A method that returns a future or a publisher is judged when that completes: until then its message is in flight. A
 * call that is skipped, or goes back to the broker, returns null, a future that has completed with null, or an empty
 * publisher.
 *
 * <p>Works on methods of Spring beans that can be intercepted: not on private, final or static ones, and not on calls
 * from within the same object. A method that cannot be guarded fails the start of the application. The annotation may
 * stand on the method, on the one it overrides or implements, or inside a composed annotation.
 *
 * <p>All attributes that are texts resolve {@code ${…}} placeholders. The programmatic equivalent is
 * {@code IdempotencyTemplate}.
 *
 * @since 0.1
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

    /**
     * The stable name of the consumer: ids are kept per consumer, and renaming one starts a new history. Defaults to
     * the simple name of the bean's class, a dot and the name of the method, which is not safe against renaming.
     */
    String consumer() default "";

    /**
     * A SpEL expression for the id, if it is not where the defaults look. Sees the arguments by name, or as
     * {@code #p0}, {@code #p1} and so on, and the received message as {@code body} and {@code headers}. Null, blank, or
     * a list with such a part, means that the message has no usable id; so does an expression that throws, or gives
     * what is neither text, an integral number, a UUID, bytes of UTF-8 nor a list of these. An expression that reads a
     * correlation or trace id, Spring's generated id, or what is new for each delivery, fails the start.
     */
    String messageId() default "";

    /** When the id is marked, and what happens to an overlapping copy; the configured mode by default. */
    IdempotencyMode mode() default IdempotencyMode.AUTO;

    /** The name of the store bean; the configured store by default. */
    String store() default "";

    /**
     * How long a claim is held unless it is renewed, as {@code 30s} or in ISO-8601; the configured lease by default.
     * Only {@link IdempotencyMode#CLAIM} uses it.
     */
    String lease() default "";
}

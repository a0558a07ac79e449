package dev.idempotency.aop;

import dev.idempotency.MessageIdResolver;
import dev.idempotency.message.StandardMessageIdResolver;

/** Where the id of a guarded method's messages is looked for, and what to do if there is none. */
final class MissingIdAdvice {

    private MissingIdAdvice() {}

    static String of(MethodSpec spec, MessageIdResolver resolver) {
        String method = MethodNames.of(spec.method());
        if (spec.messageId() != null) {
            return "Looked for by 'messageId' of " + method + " alone: \"" + spec.messageId()
                    + "\". Let the producer set what it reads, or correct it; without it, the id is looked for as"
                    + " 'idempotency.message-id.headers' and 'idempotency.message-id.json-pointer' say.";
        }
        if (resolver instanceof StandardMessageIdResolver) {
            return "Looked for in " + resolver
                    + ". Let the producer set one there, or name its place by 'messageId' of " + method
                    + ", 'idempotency.message-id.headers' or 'idempotency.message-id.json-pointer'.";
        }
        return "Looked for by " + resolver.getClass().getName()
                + ". Let the producer set what it reads, or name the place of the id by 'messageId' of " + method + ".";
    }
}

package dev.idempotency.listener;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.listener.AbstractMessageListenerContainer;

record JmsEndpoint(String name, @Nullable Method listener, AbstractMessageListenerContainer container) {}

package dev.idempotency.listener;

import static dev.idempotency.listener.JmsApplication.ORDERS;
import static dev.idempotency.listener.JmsApplication.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.idempotency.Delivery;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.jms.listener.SimpleMessageListenerContainer;
import org.springframework.jms.listener.adapter.MessageListenerAdapter;
import org.springframework.jms.support.QosSettings;
import org.springframework.jms.support.converter.MessageConverter;
import org.springframework.jms.support.destination.DestinationResolver;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ErrorHandler;

/** Which calls see their message: every kind of listener, whoever made its container (FAULTS K9). */
class JmsBindingTests {

    static Stream<Object[]> bodies() {
        return Stream.of(
                new Object[] {PlainListener.class, "text"},
                new Object[] {BytesListener.class, "bytes".getBytes(StandardCharsets.UTF_8)},
                new Object[] {MapListener.class, Map.of("key", "value", "number", 5)});
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void bindsTheRawMessageUnderAPlainPayload(Class<?> listener, Object body) {
        try (JmsApplication application = start(listener)) {
            application.bean(JmsTemplate.class).convertAndSend(ORDERS, body, message -> {
                message.setStringProperty("MessageId", "m-1");
                return message;
            });

            Calls calls = application.bean(Calls.class);
            await().untilAsserted(() -> assertThat(calls.all).hasSize(1));
            assertThat(calls.all.get(0).payload).isEqualTo(body);
            assertThat(calls.all.get(0).body).isEqualTo(body);
            assertThat(calls.all.get(0).headers.get("MessageId")).isEqualTo("m-1");
            assertThat(calls.all.get(0).listener.getDeclaringClass()).isEqualTo(listener);
        }
    }

    static Stream<Class<?>> listeners() {
        return Stream.of(
                PlainListener.class,
                OwnFactoryListener.class,
                ClassProxiedListener.class,
                InterfaceProxiedListener.class,
                ContainerWithAdapter.class,
                ContainerWithListener.class,
                SimpleContainerWithListener.class);
    }

    @ParameterizedTest
    @MethodSource("listeners")
    void bindsAndUnbindsWhateverTheListener(Class<?> listener) {
        try (JmsApplication application = start(listener)) {
            Calls calls = application.bean(Calls.class);
            calls.failing = true;

            application.send("text");

            // The error handler runs on the thread of the listener, after it.
            await().untilAsserted(() -> assertThat(calls.afterwards).containsExactly("IllegalStateException unbound"));
            calls.failing = false;
            await().untilAsserted(() -> assertThat(calls.all).hasSize(2));
            assertThat(calls.all).extracting(Call::body).containsOnly("text");
            assertThat(calls.all).extracting(Call::payload).containsOnly("text");
        }
    }

    @ParameterizedTest
    @MethodSource("proxied")
    void knowsTheMethodOfTheClassBehindAProxy(Class<?> configuration, Class<?> listener) throws Exception {
        try (JmsApplication application = start(configuration)) {
            application.send("text");

            Calls calls = application.bean(Calls.class);
            await().untilAsserted(() -> assertThat(calls.all).hasSize(1));
            assertThat(calls.all.get(0).listener).isEqualTo(listener.getDeclaredMethod("handle", String.class));
        }
    }

    static Stream<Object[]> proxied() {
        return Stream.of(
                new Object[] {ClassProxiedListener.class, Target.class},
                new Object[] {InterfaceProxiedListener.class, TargetWithInterface.class});
    }

    @Test
    void knowsNoMethodBehindAContainerBean() {
        try (JmsApplication application = start(ContainerWithAdapter.class)) {
            application.send("text");

            Calls calls = application.bean(Calls.class);
            await().untilAsserted(() -> assertThat(calls.all).hasSize(1));
            assertThat(calls.all.get(0).listener).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bindsEndpointsRegisteredLate(boolean startImmediately) {
        try (JmsApplication application = start()) {
            Calls calls = application.bean(Calls.class);
            SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
            endpoint.setId("late");
            endpoint.setDestination(ORDERS);
            endpoint.setMessageListener(message -> calls.add(text(message)));
            JmsListenerContainerFactory<?> factory = application.bean(DefaultJmsListenerContainerFactory.class);

            if (startImmediately) {
                application.registry().registerListenerContainer(endpoint, factory, true);
            } else {
                application.registry().registerListenerContainer(endpoint, factory);
                application.registry().getListenerContainer("late").start();
            }
            application.send("text");

            await().untilAsserted(
                            () -> assertThat(calls.all).extracting(Call::body).containsExactly("text"));
        }
    }

    @Test
    void bindsAListenerBeanThatIsResolvedAfterTheStart() {
        try (JmsApplication application = start(LazyListener.class)) {
            application.send("text");
            assertThat(application.registry().getListenerContainers()).isEmpty();

            application.bean(Target.class);

            await().untilAsserted(() -> assertThat(application.bean(Calls.class).all)
                    .extracting(Call::body)
                    .containsExactly("text"));
        }
    }

    @Test
    void restoresTheOuterDelivery() throws Throwable {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        List<Delivery> inside = new CopyOnWriteArrayList<>();
        JmsEndpoint endpoint = new JmsEndpoint("test", null, container);
        JmsSettings settings = new JmsSettings(JmsLater.ROLLBACK, Duration.ZERO, Duration.ZERO);
        MessageListener listener = message -> inside.add(Delivery.current());
        JmsBoundListener bound = new JmsBoundListener(listener, endpoint, settings);
        JmsDelivery outer = new JmsDelivery(null, null, endpoint, settings);

        Delivery afterwards = outer.run(() -> {
            bound.onMessage(null, null);
            return Delivery.current();
        });

        assertThat(inside).hasSize(1).doesNotContain(outer);
        assertThat(afterwards).isSameAs(outer);
        assertThat(Delivery.current()).isNull();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new JMSException("broker"),
                new IllegalStateException("handler"),
                new AssertionError("error"),
                new IOException("undeclared"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void letsEachFailureThroughAsTheSameInstance(Throwable failure) {
        JmsBoundListener bound = new JmsBoundListener(
                (SessionAwareMessageListener<Message>)
                        (message, session) -> JmsBindingTests.<RuntimeException>sneak(failure),
                new JmsEndpoint("test", null, new DefaultMessageListenerContainer()),
                new JmsSettings(JmsLater.ROLLBACK, Duration.ZERO, Duration.ZERO));

        assertThat(catchThrowable(() -> bound.onMessage(null, null))).isSameAs(failure);
        assertThat(Delivery.current()).isNull();
    }

    @Test
    void keepsTheNameOfADurableSubscription() {
        String[] properties = {
            "spring.jms.pub-sub-domain=true",
            "spring.jms.subscription-durable=true",
            "spring.jms.client-id=shop",
            "spring.jms.listener.auto-startup=false"
        };
        String expected;
        try (JmsApplication unbound =
                JmsApplication.start(new Class<?>[] {JmsApplication.OrderListener.class}, properties)) {
            expected = unbound.container().getSubscriptionName();
        }
        try (JmsApplication application = JmsApplication.start(with(), properties)) {
            assertThat(application.container().getSubscriptionName())
                    .isEqualTo(expected)
                    .isEqualTo(JmsApplication.OrderListener.class.getName() + ".handle");
            assertThat(nameFrom(application.container().getMessageListener())).isEqualTo(expected);

            application.container().start();
            await().untilAsserted(() -> assertThat(application.queue("shop." + expected.replace(".", "\\.")))
                    .isNotNull());
        }
    }

    @Test
    void derivesTheNameOfASubscriptionAsTheContainerDoes() {
        MessageListener plain = new PlainMessageListener();
        JmsEndpoint endpoint = new JmsEndpoint("test", null, new DefaultMessageListenerContainer());

        assertThat(nameFrom(new JmsBoundListener(plain, endpoint, null))).isEqualTo(nameFrom(plain));
    }

    @Test
    void wrapsOnce() {
        try (JmsApplication application =
                start(PlainListener.class, ContainerWithListener.class, SecondBinding.class)) {
            assertThat(((Advised) application.registry()).getAdvisors()).hasSize(1);
            List<DefaultMessageListenerContainer> containers = List.of(
                    (DefaultMessageListenerContainer) application.container(),
                    application.bean(DefaultMessageListenerContainer.class));
            assertThat(containers).allSatisfy(container -> {
                assertThat(container.getMessageListener()).isInstanceOf(JmsBoundListener.class);
                assertThat(ReflectionTestUtils.getField(container.getMessageListener(), "delegate"))
                        .isNotInstanceOf(JmsBoundListener.class);
                assertThat(ReflectionTestUtils.getField(container.getErrorHandler(), "delegate"))
                        .isNotInstanceOf(JmsErrorHandler.class);
            });
        }
    }

    @Test
    void warnsOnceOfAContainerOutOfReach() {
        try (JmsApplication application = start()) {
            SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
            endpoint.setId("adapter");

            application.registry().registerListenerContainer(endpoint, ignored -> new ForeignContainer());

            assertThat(application.warningTexts())
                    .singleElement()
                    .asString()
                    .contains("No message bound for JMS endpoint 'adapter'", ForeignContainer.class.getName());
        }
    }

    @Test
    void predictsTheTypeOfTheRegistry() {
        try (JmsApplication application = start(PlainListener.class)) {
            JmsListenerBinding binding = application.bean(JmsListenerBinding.class);

            assertThat(binding.determineBeanType(JmsListenerEndpointRegistry.class, "registry"))
                    .isSameAs(application.registry().getClass());
            assertThat(binding.determineBeanType(Target.class, "other")).isSameAs(Target.class);
        }
    }

    @Test
    void leavesAContainerWithoutListenerAlone() {
        JmsListenerBinding binding = new JmsListenerBinding(JmsLater.ROLLBACK, Duration.ZERO, Duration.ZERO);
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();

        assertThat(binding.postProcessBeforeInitialization(container, "container"))
                .isSameAs(container);

        assertThat(container.getMessageListener()).isNull();
        assertThat(container.getErrorHandler()).isNull();
    }

    private static JmsApplication start(Class<?>... configuration) {
        Class<?>[] all = Stream.concat(
                        Stream.of(JmsApplication.Binding.class, Calls.class, OwnFactory.class),
                        Stream.of(configuration))
                .toArray(Class<?>[]::new);
        return JmsApplication.start(all);
    }

    private static String nameFrom(Object listener) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setMessageListener(listener);
        return container.getSubscriptionName();
    }

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    record Call(Object payload, Object body, Map<String, ?> headers, Method listener) {}

    /** What the listeners saw, and what was bound after they had failed. */
    static final class Calls implements ErrorHandler {

        private final List<Call> all = new CopyOnWriteArrayList<>();
        private final List<String> afterwards = new CopyOnWriteArrayList<>();
        private volatile boolean failing;

        void add(Object payload) {
            Delivery delivery = Delivery.current();
            all.add(new Call(payload, delivery.body(), delivery.headers(), delivery.listener()));
            if (failing) {
                failing = false;
                throw new IllegalStateException("fails once");
            }
        }

        @Override
        public void handleError(Throwable error) {
            Throwable root = error.getCause() != null ? error.getCause() : error;
            afterwards.add(
                    root.getClass().getSimpleName() + " " + (Delivery.current() == null ? "unbound" : "still bound"));
        }
    }

    static class PlainListener {

        private final Calls calls;

        PlainListener(Calls calls) {
            this.calls = calls;
        }

        @JmsListener(id = ORDERS, destination = ORDERS)
        void handle(String payload) {
            calls.add(payload);
        }
    }

    record BytesListener(Calls calls) {

        @JmsListener(destination = ORDERS)
        void handle(byte[] payload) {
            calls.add(payload);
        }
    }

    record MapListener(Calls calls) {

        @JmsListener(destination = ORDERS)
        void handle(Map<String, Object> payload) {
            calls.add(payload);
        }
    }

    static class OwnFactory {

        @Bean({"jmsListenerContainerFactory", "ownFactory"})
        DefaultJmsListenerContainerFactory ownFactory(ConnectionFactory connectionFactory, Calls calls) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            factory.setSessionTransacted(true);
            factory.setErrorHandler(calls);
            return factory;
        }
    }

    static class OwnFactoryListener {

        private final Calls calls;

        OwnFactoryListener(Calls calls) {
            this.calls = calls;
        }

        @JmsListener(destination = ORDERS, containerFactory = "ownFactory")
        void handle(String payload) {
            calls.add(payload);
        }
    }

    static class Target {

        private Calls calls;

        @JmsListener(destination = ORDERS)
        public void handle(String payload) {
            calls.add(payload);
        }
    }

    interface Handler {

        void handle(String payload);
    }

    static class TargetWithInterface implements Handler {

        private Calls calls;

        @Override
        @JmsListener(destination = ORDERS)
        public void handle(String payload) {
            calls.add(payload);
        }
    }

    static class ClassProxiedListener {

        @Bean
        Target target(Calls calls) {
            Target target = new Target();
            target.calls = calls;
            ProxyFactory factory = new ProxyFactory(target);
            factory.setProxyTargetClass(true);
            return (Target) factory.getProxy();
        }
    }

    static class InterfaceProxiedListener {

        @Bean
        Handler target(Calls calls) {
            TargetWithInterface target = new TargetWithInterface();
            target.calls = calls;
            return (Handler) new ProxyFactory(target).getProxy();
        }
    }

    static class LazyListener {

        @Bean
        @Lazy
        Target target(Calls calls) {
            Target target = new Target();
            target.calls = calls;
            return target;
        }
    }

    static class PlainMessageListener implements MessageListener {

        @Override
        public void onMessage(Message message) {}
    }

    static class ContainerWithAdapter {

        @Bean
        DefaultMessageListenerContainer container(ConnectionFactory connectionFactory, Calls calls) {
            DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
            container.setConnectionFactory(connectionFactory);
            container.setDestinationName(ORDERS);
            container.setSessionTransacted(true);
            container.setErrorHandler(calls);
            MessageListenerAdapter adapter = new MessageListenerAdapter(calls);
            adapter.setDefaultListenerMethod("add");
            container.setMessageListener(adapter);
            return container;
        }
    }

    static class ContainerWithListener {

        @Bean
        DefaultMessageListenerContainer container(ConnectionFactory connectionFactory, Calls calls) {
            DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
            container.setConnectionFactory(connectionFactory);
            container.setDestinationName(ORDERS);
            container.setSessionTransacted(true);
            container.setErrorHandler(calls);
            container.setMessageListener((MessageListener) message -> calls.add(text(message)));
            return container;
        }
    }

    static class SimpleContainerWithListener {

        @Bean
        SimpleMessageListenerContainer container(ConnectionFactory connectionFactory, Calls calls) {
            SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
            container.setConnectionFactory(connectionFactory);
            container.setDestinationName(ORDERS);
            container.setSessionTransacted(true);
            container.setErrorHandler(calls);
            container.setMessageListener(
                    (SessionAwareMessageListener<Message>) (message, session) -> calls.add(text(message)));
            return container;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondBinding {

        @Bean
        static JmsListenerBinding secondBinding() {
            return new JmsListenerBinding(JmsLater.ROLLBACK, Duration.ZERO, Duration.ZERO);
        }
    }

    private static final class ForeignContainer implements MessageListenerContainer {

        @Override
        public void setupMessageListener(Object messageListener) {}

        @Override
        public MessageConverter getMessageConverter() {
            return null;
        }

        @Override
        public DestinationResolver getDestinationResolver() {
            return null;
        }

        @Override
        public boolean isPubSubDomain() {
            return false;
        }

        @Override
        public boolean isReplyPubSubDomain() {
            return false;
        }

        @Override
        public QosSettings getReplyQosSettings() {
            return null;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }
}

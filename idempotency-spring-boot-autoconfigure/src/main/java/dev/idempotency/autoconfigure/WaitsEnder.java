package dev.idempotency.autoconfigure;

import dev.idempotency.core.IdempotencyTemplate;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Ends the waits of copies in flight when the context closes: before the containers stop, which would otherwise wait
 * for them.
 */
final class WaitsEnder implements ApplicationListener<ContextClosedEvent> {

    private final ApplicationContext context;
    private final ConfigurableListableBeanFactory beanFactory;

    WaitsEnder(ApplicationContext context, ConfigurableListableBeanFactory beanFactory) {
        this.context = context;
        this.beanFactory = beanFactory;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // A child context tells its parent's listeners, too.
        if (event.getApplicationContext() != context) {
            return;
        }
        // Templates of the parent go on, and one that was never needed is not created now.
        for (String name : beanFactory.getBeanNamesForType(IdempotencyTemplate.class, true, false)) {
            if (beanFactory.getSingleton(name) instanceof IdempotencyTemplate template) {
                template.close();
            }
        }
    }
}

package dev.idempotency.sample;

import dev.idempotency.sample.OrderPublisher.PublishedOrder;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {

    private static final int MAX_TIMES = 100;

    private final OrderPublisher publisher;
    private final PaymentLedger ledger;

    OrderController(OrderPublisher publisher, PaymentLedger ledger) {
        this.publisher = publisher;
        this.ledger = ledger;
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Accepted publish(@RequestBody NewOrder order) {
        if (order.amount() == null || order.amount().signum() <= 0) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "'amount' must be positive");
        }
        String orderId =
                order.orderId() != null ? order.orderId() : UUID.randomUUID().toString();
        PublishedOrder published = publisher.publish(new OrderCreated(orderId, order.amount()));
        if (published == null) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "There is such an order already");
        }
        return new Accepted(published.orderId(), published.messageId(), 1);
    }

    @PostMapping("/orders/{orderId}/redeliver")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Accepted redeliver(@PathVariable String orderId, @RequestParam(defaultValue = "1") int times) {
        if (times < 1 || times > MAX_TIMES) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "'times' must be from 1 to " + MAX_TIMES);
        }
        PublishedOrder published = publisher.redeliver(orderId, times);
        if (published == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such order");
        }
        return new Accepted(published.orderId(), published.messageId(), times);
    }

    @GetMapping("/orders/{orderId}/payments")
    List<Payment> paymentsOf(@PathVariable String orderId) {
        return ledger.paymentsOf(orderId);
    }

    @GetMapping("/payments")
    List<Payment> payments() {
        return ledger.payments();
    }

    record NewOrder(@Nullable String orderId, @Nullable BigDecimal amount) {}

    record Accepted(String orderId, String messageId, int messages) {}
}

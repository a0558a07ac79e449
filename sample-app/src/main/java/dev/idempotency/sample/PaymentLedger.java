package dev.idempotency.sample;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Every charge that was made, doubled ones included: it keeps a journal and knows nothing of message ids. */
@Component
public class PaymentLedger {

    private final JdbcClient jdbc;

    PaymentLedger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void record(Payment payment) {
        jdbc.sql("insert into payment (order_id, amount, charged_at) values (?, ?, ?)")
                .params(payment.orderId(), payment.amount(), payment.chargedAt().toEpochMilli())
                .update();
    }

    /** Returns all payments, in the order they were made. */
    public List<Payment> payments() {
        return jdbc.sql("select order_id, amount, charged_at from payment order by charged_at")
                .query(PaymentLedger::payment)
                .list();
    }

    List<Payment> paymentsOf(String orderId) {
        return jdbc.sql("select order_id, amount, charged_at from payment where order_id = ? order by charged_at")
                .param(orderId)
                .query(PaymentLedger::payment)
                .list();
    }

    private static Payment payment(ResultSet row, int number) throws SQLException {
        return new Payment(row.getString(1), row.getBigDecimal(2), Instant.ofEpochMilli(row.getLong(3)));
    }
}

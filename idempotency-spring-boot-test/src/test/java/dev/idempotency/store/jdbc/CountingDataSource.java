package dev.idempotency.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Keeps the statements that are sent to the database, each time that one is. */
final class CountingDataSource extends DelegatingDataSource {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    CountingDataSource(DataSource target) {
        super(target);
    }

    List<String> sent() {
        return List.copyOf(sent);
    }

    void clear() {
        sent.clear();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return counting(Connection.class, super.getConnection(), "");
    }

    private <T> T counting(Class<T> type, T target, String prepared) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text
                            ? text
                            : prepared;
                    if (method.getName().startsWith("execute")) {
                        sent.add(sql);
                    }
                    try {
                        return counted(method.invoke(target, arguments), sql);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                }));
    }

    private @Nullable Object counted(@Nullable Object answer, String sql) {
        if (answer instanceof PreparedStatement statement) {
            return counting(PreparedStatement.class, statement, sql);
        }
        return answer instanceof Statement statement ? counting(Statement.class, statement, sql) : answer;
    }
}

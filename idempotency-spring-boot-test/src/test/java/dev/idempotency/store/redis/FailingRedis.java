package dev.idempotency.store.redis;

import dev.idempotency.test.FaultyNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.embedded.RedisServer;

/** A real Redis that can be made to fail, in each of the ways in which it does. It keeps its data over a restart. */
public final class FailingRedis implements AutoCloseable {

    /** What can be wrong with it. */
    public enum Outage {
        /** It is gone, and comes back with its data. */
        STOPPED,
        /** Its process stands still; connections can be made. */
        PAUSED,
        /** It is full, and takes no more. */
        OUT_OF_MEMORY,
        /** It has become a replica. */
        READ_ONLY,
        /** It does what it is asked, but its answers come when nobody waits for them any longer. */
        LATE
    }

    private static final Duration LATENESS = Duration.ofSeconds(3);

    private final Path directory;
    private final FaultyNetwork network;
    private RedisServer server;
    private String processId = "";

    private FailingRedis(Path directory, RedisServer server, FaultyNetwork network) {
        this.directory = directory;
        this.server = server;
        this.network = network;
    }

    /** Starts one that keeps its data in the directory. */
    public static FailingRedis start(Path directory) throws IOException {
        RedisServer server = RedisServers.start(RedisServers.freePort(), settings(directory));
        return new FailingRedis(
                directory, server, FaultyNetwork.to("127.0.0.1", server.ports().get(0)));
    }

    private static String[] settings(Path directory) {
        return new String[] {"dir " + directory, "appendonly yes", "appendfsync always"};
    }

    /** The port for an application to connect to. */
    public int port() {
        return network.port();
    }

    public void begin(Outage outage) throws Exception {
        switch (outage) {
            case STOPPED -> server.stop();
            case PAUSED -> signal("STOP");
            case OUT_OF_MEMORY -> set("maxmemory", "1");
            case READ_ONLY -> replicate("127.0.0.1", 1);
            case LATE -> network.delayAnswers(LATENESS);
        }
    }

    public void end(Outage outage) throws Exception {
        switch (outage) {
            case STOPPED -> server = RedisServers.start(server.ports().get(0), settings(directory));
            case PAUSED -> signal("CONT");
            case OUT_OF_MEMORY -> set("maxmemory", "0");
            case READ_ONLY -> onServer(connection -> connection.serverCommands().replicaOfNoOne());
            case LATE -> network.delayAnswers(Duration.ZERO);
        }
    }

    private void set(String parameter, String value) {
        onServer(connection -> connection.serverCommands().setConfig(parameter, value));
    }

    private void replicate(String host, int port) {
        onServer(connection -> connection.serverCommands().replicaOf(host, port));
    }

    private void signal(String name) throws IOException, InterruptedException {
        // one that stands still cannot be asked
        if (name.equals("STOP")) {
            onServer(connection -> {
                Properties about =
                        Objects.requireNonNull(connection.serverCommands().info("server"));
                processId = about.getProperty("process_id");
            });
        }
        if (new ProcessBuilder("kill", "-" + name, processId).start().waitFor() != 0) {
            throw new IllegalStateException("Redis took no signal");
        }
    }

    /** Past the network, so that what is wrong there does not matter. */
    private void onServer(Consumer<RedisConnection> action) {
        LettuceConnectionFactory direct =
                RedisServers.connect("127.0.0.1", server.ports().get(0));
        try (RedisConnection connection = direct.getConnection()) {
            action.accept(connection);
        } finally {
            direct.destroy();
        }
    }

    @Override
    public void close() {
        network.close();
        RedisServers.stop(server);
    }
}

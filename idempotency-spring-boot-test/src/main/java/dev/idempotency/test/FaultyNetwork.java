package dev.idempotency.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A network between a client and a real server that can be made to fail: a port on the loopback that passes on what it
 * gets. For stores behind a connection.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class FaultyNetwork implements AutoCloseable {

    private final InetSocketAddress server;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> doomedRequest = new AtomicReference<>();
    private final AtomicReference<@Nullable String> doomedAnswer = new AtomicReference<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile boolean blackHole;
    private volatile Duration lateness = Duration.ZERO;

    private FaultyNetwork(InetSocketAddress server, ServerSocket listening) {
        this.server = server;
        this.listening = listening;
    }

    /**
     * Opens a port to a server.
     *
     * @param host where the server is
     * @param port its port
     * @throws IOException if no port can be opened
     */
    public static FaultyNetwork to(String host, int port) throws IOException {
        ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FaultyNetwork network = new FaultyNetwork(new InetSocketAddress(host, port), listening);
        network.start("accept", network::accept);
        return network;
    }

    /** Returns the port for the client to connect to, on the loopback. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Cuts all connections; new ones can be made. */
    public void cut() {
        sockets.forEach(FaultyNetwork::close);
    }

    /**
     * Cuts the connection on which the next such request comes, before the server gets it.
     *
     * @param part what the request contains
     */
    public void cutBeforeRequest(String part) {
        doomedRequest.set(Objects.requireNonNull(part, "'part' must not be null"));
    }

    /**
     * Cuts the connection on which the next such request comes, after the server has executed it and before the client
     * gets the answer.
     *
     * @param part what the request contains
     */
    public void cutBeforeAnswer(String part) {
        doomedAnswer.set(Objects.requireNonNull(part, "'part' must not be null"));
    }

    /** Returns how many connections were cut because of their requests. */
    public int cuts() {
        return cuts.get();
    }

    /**
     * Lets nothing through, without cutting anything: connections can be made, and stay silent.
     *
     * @param closed true from now on, false to let pass again what comes from then on
     */
    public void blackHole(boolean closed) {
        this.blackHole = closed;
    }

    /**
     * Lets answers be late: each of a connection's answers, after the one before it, by so much.
     *
     * @param time how late from now on; zero for no longer
     */
    public void delayAnswers(Duration time) {
        this.lateness = time;
    }

    /** Cuts all connections, and takes no more. */
    @Override
    public void close() {
        close(listening);
        cut();
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket client = listening.accept();
            sockets.add(client);
            Socket upstream = new Socket();
            sockets.add(upstream);
            try {
                upstream.connect(server);
            } catch (IOException ex) {
                // The server is gone: this client learns of it, and the next may find it back.
                close(client);
                continue;
            }
            Link link = new Link(client, upstream);
            start("requests", link::passRequests);
            start("answers", link::passAnswers);
        }
    }

    private void start(String name, Passing passing) {
        Thread thread = new Thread(
                () -> {
                    try {
                        passing.run();
                    } catch (IOException ex) {
                        // This is how connections end, whoever cuts them: the other side learns of it by theirs.
                    }
                },
                "faulty-network-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception ex) {
            throw new IllegalStateException("Connection cannot be cut", ex);
        }
    }

    /** Passes bytes on until there are no more. */
    private interface Passing {
        void run() throws IOException;
    }

    /** One client's connection. */
    private final class Link {

        private final Socket client;
        private final Socket upstream;
        private volatile boolean answerIsDoomed;

        Link(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void passRequests() throws IOException {
            pass(client, upstream, request -> {
                if (isDoomed(doomedRequest, request)) {
                    cutLink();
                    return false;
                }
                if (isDoomed(doomedAnswer, request)) {
                    answerIsDoomed = true;
                }
                return true;
            });
        }

        void passAnswers() throws IOException {
            pass(upstream, client, answer -> {
                if (answerIsDoomed) {
                    cutLink();
                    return false;
                }
                LockSupport.parkNanos(lateness.toNanos());
                return true;
            });
        }

        private void cutLink() {
            cuts.incrementAndGet();
            close(client);
            close(upstream);
        }

        private void pass(Socket from, Socket to, Gate gate) throws IOException {
            byte[] buffer = new byte[64 * 1024];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (blackHole) {
                        continue;
                    }
                    if (!gate.lets(new String(Arrays.copyOf(buffer, count), StandardCharsets.ISO_8859_1))) {
                        return;
                    }
                    out.write(buffer, 0, count);
                    out.flush();
                }
            }
        }

        private static boolean isDoomed(AtomicReference<@Nullable String> doomed, String request) {
            String part = doomed.get();
            return part != null && request.contains(part) && doomed.compareAndSet(part, null);
        }
    }

    /** Whether bytes may pass. */
    private interface Gate {
        boolean lets(String bytes);
    }
}

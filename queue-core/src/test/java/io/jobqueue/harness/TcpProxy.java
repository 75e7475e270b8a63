package io.jobqueue.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a server, which a test can cut, freeze and restore.
 */
public final class TcpProxy implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(TcpProxy.class);

	private final ServerSocket door;

	private final String host;

	private final int port;

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final AtomicInteger refused = new AtomicInteger();

	/**
	 * Connections that stay open and carry nothing any more.
	 */
	private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();

	private volatile boolean cut;

	private volatile boolean freezing;

	/**
	 * Open a way.
	 * @param host the name of the server's host
	 * @param port the server's port
	 */
	public TcpProxy(String host, int port) {
		this.host = host;
		this.port = port;
		try {
			this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("proxy", this::accept);
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Return where clients knock.
	 * @return the port
	 */
	public int port() {
		return this.door.getLocalPort();
	}

	/**
	 * Break all connections and refuse new ones.
	 */
	public void cut() {
		this.cut = true;
		this.open.forEach(TcpProxy::close);
	}

	/**
	 * Accept connections, carry nothing on them, and close none: those that are open and
	 * new ones.
	 */
	public void freeze() {
		this.freezing = true;
		this.frozen.addAll(this.open);
	}

	/**
	 * Let new connections through again. Those that were frozen stay so.
	 */
	public void restore() {
		this.cut = false;
		this.freezing = false;
	}

	/**
	 * Return how many clients were refused.
	 * @return the number
	 */
	public int refused() {
		return this.refused.get();
	}

	private void accept() {
		try {
			while (true) {
				admit(this.door.accept());
			}
		}
		catch (IOException ex) {
			logger.debug("The proxy is closed", ex);
		}
	}

	private void admit(Socket client) throws IOException {
		this.open.add(client);
		if (this.cut) {
			this.refused.incrementAndGet();
			close(client);
			return;
		}
		if (this.freezing) {
			this.frozen.add(client);
			return;
		}
		Socket server = new Socket(this.host, this.port);
		this.open.add(server);
		start("proxy-in", () -> pump(client, server));
		start("proxy-out", () -> pump(server, client));
	}

	private void pump(Socket from, Socket to) {
		try {
			carry(from, to);
		}
		catch (IOException ex) {
			logger.debug("A connection broke", ex);
		}
		finally {
			close(from);
			close(to);
			this.open.remove(from);
			this.open.remove(to);
		}
	}

	private void carry(Socket from, Socket to) throws IOException {
		byte[] buffer = new byte[8192];
		int length = from.getInputStream().read(buffer);
		while (length >= 0) {
			if (!this.frozen.contains(from) && !this.frozen.contains(to)) {
				to.getOutputStream().write(buffer, 0, length);
			}
			length = from.getInputStream().read(buffer);
		}
	}

	private static void close(AutoCloseable socket) {
		try {
			socket.close();
		}
		catch (Exception ex) {
			logger.debug("Not closed", ex);
		}
	}

	@Override
	public void close() {
		close(this.door);
		cut();
	}

}

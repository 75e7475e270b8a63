package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection through the proxy.
 */
final class Link implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Link.class);

	private static final int BUFFER = 8_192;

	private final Socket client;

	private final Socket server;

	private volatile boolean broken;

	Link(Socket client, Socket server) {
		this.client = client;
		this.server = server;
	}

	/**
	 * Carry data both ways until one side has enough.
	 */
	void open(Runnable closed) {
		start("proxy-request",
				() -> carry(() -> this.client.getInputStream().transferTo(this.server.getOutputStream())));
		start("proxy-answer", () -> {
			carry(this::answer);
			closed.run();
		});
	}

	static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Let the client have half of what comes next.
	 */
	void breakOff() {
		this.broken = true;
	}

	private void answer() throws IOException {
		InputStream from = this.server.getInputStream();
		OutputStream to = this.client.getOutputStream();
		byte[] buffer = new byte[BUFFER];
		int length = from.read(buffer);
		while (length >= 0 && !this.broken) {
			to.write(buffer, 0, length);
			length = from.read(buffer);
		}
		to.write(buffer, 0, Math.max(0, length) / 2);
	}

	private void carry(Transfer transfer) {
		try (this) {
			transfer.run();
		}
		catch (IOException ex) {
			logger.debug("The connection failed", ex);
		}
	}

	@Override
	public void close() throws IOException {
		try (this.client; this.server) {
			logger.debug("The connection ends");
		}
	}

	/**
	 * Carries data one way.
	 */
	@FunctionalInterface
	private interface Transfer {

		void run() throws IOException;

	}

}

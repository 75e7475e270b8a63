package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the server, on which connections break in the middle of an answer.
 */
final class CuttableProxy implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(CuttableProxy.class);

	private static final int WAITING_CLIENTS = 100;

	private final ServerSocket door;

	private final int serverPort;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	CuttableProxy(int serverPort) throws IOException {
		this.serverPort = serverPort;
		this.door = new ServerSocket(0, WAITING_CLIENTS, InetAddress.getLoopbackAddress());
		Link.start("proxy", this::accept);
	}

	int port() {
		return this.door.getLocalPort();
	}

	/**
	 * Let about half of the connections break off with their next answer.
	 */
	void cut(Random random) {
		this.links.stream().filter((link) -> random.nextBoolean()).forEach(Link::breakOff);
	}

	private void accept() {
		try {
			while (true) {
				connect(this.door.accept());
			}
		}
		catch (IOException ex) {
			logger.debug("The proxy is closed", ex);
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), this.serverPort));
			this.links.add(link);
			link.open(() -> this.links.remove(link));
		}
		catch (IOException ex) {
			logger.debug("The server is down", ex);
			client.close();
		}
	}

	@Override
	public void close() throws IOException {
		this.door.close();
		for (Link link : this.links) {
			link.close();
		}
	}

}

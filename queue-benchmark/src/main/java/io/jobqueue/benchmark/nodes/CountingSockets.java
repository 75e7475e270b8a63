package io.jobqueue.benchmark.nodes;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

import javax.net.SocketFactory;

/**
 * Makes the sockets of the driver, and counts what it writes to the server: one write for
 * each round trip, as requests of a few kilobytes leave in one. The driver creates it by
 * its name.
 */
public final class CountingSockets extends SocketFactory {

	/**
	 * The parameter of a JDBC URL that makes the driver use it.
	 */
	static final String PARAMETER = "socketFactory=" + CountingSockets.class.getName();

	private static final LongAdder WRITES = new LongAdder();

	/**
	 * Return how many requests this JVM has sent.
	 */
	static long requests() {
		return WRITES.sum();
	}

	@Override
	public Socket createSocket() {
		return new CountingSocket();
	}

	@Override
	public Socket createSocket(String host, int port) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Socket createSocket(InetAddress host, int port) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
		throw new UnsupportedOperationException();
	}

	private static final class CountingSocket extends Socket {

		@Override
		public OutputStream getOutputStream() throws IOException {
			return new FilterOutputStream(super.getOutputStream()) {

				@Override
				public void write(byte[] bytes, int offset, int length) throws IOException {
					WRITES.increment();
					this.out.write(bytes, offset, length);
				}

			};
		}

	}

}

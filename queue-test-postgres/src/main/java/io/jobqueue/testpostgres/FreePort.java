package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port for a server. Operating systems choose the ports of clients, and of
 * servers that ask for any, above {@link #END}: none of these takes the port before the
 * server binds it.
 */
final class FreePort {

	private static final int START = 20_000;

	private static final int END = 32_768;

	private FreePort() {
	}

	static int find() {
		return ThreadLocalRandom.current().ints(START, END).filter(FreePort::isFree).findFirst().getAsInt();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (BindException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

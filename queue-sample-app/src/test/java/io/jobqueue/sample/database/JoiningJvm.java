package io.jobqueue.sample.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Another JVM on a data folder: joins the server, prints its URL and leaves when it shuts
 * down.
 */
final class JoiningJvm {

	private JoiningJvm() {
	}

	public static void main(String[] args) throws Exception {
		SharedServer server = SharedServer.join(Path.of(args[0]));
		Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(server)));
		System.out.println("URL: " + server.jdbcUrl());
		Thread.currentThread().join();
	}

	private static void leave(SharedServer server) {
		try {
			server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

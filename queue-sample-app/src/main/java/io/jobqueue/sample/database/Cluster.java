package io.jobqueue.sample.database;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * The files of a database, on which one server at a time runs.
 *
 * @param folder the folder of the files
 */
record Cluster(Path folder) {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int ATTEMPTS = 3;

	/**
	 * Makes the library choose a free port.
	 */
	private static final int ANY_PORT = 0;

	Optional<Postmaster> postmaster() throws IOException {
		return Postmaster.of(this.folder);
	}

	/**
	 * Start a server, which outlives this JVM.
	 * @return the server
	 */
	EmbeddedPostgres start() throws IOException {
		return start(ANY_PORT);
	}

	/**
	 * Start a server. Until it binds the port that was free before, another server may
	 * take it, or the last server on the files may not have ended yet: the start fails
	 * unnoticed then if another server answers.
	 * @param port the port of the first attempt
	 * @return the server
	 */
	EmbeddedPostgres start(int port) throws IOException {
		EmbeddedPostgres server = launch(port);
		for (int attempt = 1; attempt < ATTEMPTS && postmaster().isEmpty(); attempt++) {
			server.close();
			server = launch(ANY_PORT);
		}
		if (postmaster().isEmpty()) {
			server.close();
			throw new IOException("PostgreSQL did not start; see '%s'".formatted(log()));
		}
		return server;
	}

	private Path log() {
		return this.folder.resolveSibling("postgresql.log");
	}

	/**
	 * The library is made for tests: by itself it would let a crash of the machine lose
	 * what was committed.
	 */
	private EmbeddedPostgres launch(int port) throws IOException {
		if (!Files.exists(created())) {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		try {
			return EmbeddedPostgres.builder()
				.setDataDirectory(this.folder)
				.setCleanDataDirectory(false)
				.setDataDirectoryCustomizer(this::markCreated)
				.setRegisterShutdownHook(false)
				.setLocaleConfig("locale", "C")
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.setOutputRedirector(Redirect.appendTo(log().toFile()))
				.setErrorRedirector(Redirect.appendTo(log().toFile()))
				.setPGStartupWait(PATIENCE)
				.setPort(port)
				.start();
		}
		catch (IOException | IllegalStateException ex) {
			throw new IOException("PostgreSQL did not start; see '%s'".formatted(log()), ex);
		}
	}

	/**
	 * Without this file the files are what a killed first start left.
	 */
	private Path created() {
		return this.folder.resolve("created");
	}

	private void markCreated(File folder) {
		try {
			Files.write(created(), new byte[0]);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

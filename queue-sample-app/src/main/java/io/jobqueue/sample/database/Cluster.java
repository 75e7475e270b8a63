package io.jobqueue.sample.database;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.jobqueue.testpostgres.EmbeddedServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * The files of a database, on which one server at a time runs.
 *
 * @param folder the folder of the files
 */
record Cluster(Path folder) {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	Optional<Postmaster> postmaster() throws IOException {
		return Postmaster.of(this.folder);
	}

	/**
	 * Start a server, which outlives this JVM.
	 * @return the server
	 */
	EmbeddedPostgres start() throws IOException {
		File log = this.folder.resolveSibling("postgresql.log").toFile();
		try {
			return EmbeddedServer.start(this.folder, () -> builder(Redirect.appendTo(log)));
		}
		catch (IOException | IllegalStateException ex) {
			throw new IOException("PostgreSQL did not start; see '%s'".formatted(log), ex);
		}
	}

	/**
	 * The library is made for tests: by itself it would let a crash of the machine lose
	 * what was committed.
	 */
	private EmbeddedPostgres.Builder builder(Redirect log) {
		deleteHalfMade();
		return EmbeddedPostgres.builder()
			.setDataDirectory(this.folder)
			.setCleanDataDirectory(false)
			.setDataDirectoryCustomizer(this::markCreated)
			.setRegisterShutdownHook(false)
			.setLocaleConfig("locale", "C")
			.setServerConfig("fsync", "on")
			.setServerConfig("synchronous_commit", "on")
			.setOutputRedirector(log)
			.setErrorRedirector(log)
			.setPGStartupWait(PATIENCE);
	}

	private void deleteHalfMade() {
		if (!Files.exists(created())) {
			FileSystemUtils.deleteRecursively(this.folder.toFile());
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

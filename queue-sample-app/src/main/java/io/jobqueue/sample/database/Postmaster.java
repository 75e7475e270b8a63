package io.jobqueue.sample.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The main process of a server.
 *
 * @param pid the process id
 * @param port the port on the loopback interface
 */
record Postmaster(long pid, int port) {

	static final String USER = "postgres";

	private static final int PORT_LINE = 3;

	/**
	 * Find the server that runs on the given cluster. A crash of the machine can leave a
	 * file that is cut short, or whose process id is another program's by now: PostgreSQL
	 * would refuse to start beside these, all else it sorts out itself.
	 * @param cluster the folder with the database's files
	 * @return the server, if there is one
	 */
	static Optional<Postmaster> of(Path cluster) throws IOException {
		Path file = cluster.resolve("postmaster.pid");
		List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
		if (lines.size() <= PORT_LINE) {
			Files.deleteIfExists(file);
			return Optional.empty();
		}
		Postmaster postmaster = new Postmaster(Long.parseLong(lines.get(0).strip()),
				Integer.parseInt(lines.get(PORT_LINE).strip()));
		if (postmaster.program().filter((program) -> !isPostgres(program)).isPresent()) {
			Files.delete(file);
		}
		return Optional.of(postmaster).filter(Postmaster::isAlive);
	}

	private static boolean isPostgres(String program) {
		return program.contains("postgres");
	}

	boolean isAlive() {
		return program().filter(Postmaster::isPostgres).isPresent();
	}

	private Optional<String> program() {
		return ProcessHandle.of(this.pid).flatMap((process) -> process.info().command());
	}

	String jdbcUrl() {
		return "jdbc:postgresql://localhost:%s/postgres".formatted(this.port);
	}

	/**
	 * Ask the server to stop once its last client is gone.
	 */
	void stop() {
		ProcessHandle.of(this.pid).ifPresent(ProcessHandle::destroy);
	}

}

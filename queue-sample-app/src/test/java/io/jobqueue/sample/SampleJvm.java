package io.jobqueue.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.jobqueue.testpostgres.ChildJvm;

/**
 * The sample in a JVM of its own, to be killed.
 */
final class SampleJvm implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final ChildJvm jvm;

	private final String jdbcUrl;

	private final SampleClient client;

	private boolean killed;

	private SampleJvm(ChildJvm jvm) {
		this.jvm = jvm;
		this.jdbcUrl = jvm.awaitLine("PostgreSQL at", PATIENCE).replaceFirst(".* PostgreSQL at (\\S+) .*", "$1");
		String started = jvm.awaitLine("Tomcat started on port", PATIENCE);
		this.client = new SampleClient(Integer.parseInt(started.replaceFirst(".* port (\\d+) .*", "$1")));
	}

	/**
	 * Start it without digests, whose mails would count as those of signups.
	 */
	static SampleJvm start(Path dataFolder, String... settings) {
		return new SampleJvm(ChildJvm.start(SampleApplication.class, Map.of(), all(dataFolder, settings)));
	}

	/**
	 * Start its executable jar beside an instance that has started the server.
	 */
	static SampleJvm startJar(Path java, Path jar, Path dataFolder, String... settings) {
		return new SampleJvm(ChildJvm.startJar(java, jar, all(dataFolder, settings)));
	}

	private static String[] all(Path dataFolder, String... settings) {
		return Stream
			.concat(Stream.of("--server.port=0", "--sample.digest-cron=-", "--sample.data-folder=" + dataFolder),
					Stream.of(settings))
			.toArray(String[]::new);
	}

	SampleClient client() {
		return this.client;
	}

	String jdbcUrl() {
		return this.jdbcUrl;
	}

	/**
	 * Wait for the second application, which the profile {@code kafka} has.
	 */
	SampleClient newsletter() {
		String started = this.jvm.awaitLine("See who gets the newsletter", PATIENCE);
		return new SampleClient(Integer.parseInt(started.replaceFirst(".*:(\\d+)/subscribers", "$1")));
	}

	/**
	 * Ask it to stop, and wait until it is stopping.
	 */
	void terminate() {
		this.jvm.terminate();
		this.jvm.awaitLine("running handler", PATIENCE);
	}

	void kill() {
		this.jvm.kill();
		this.killed = true;
	}

	/**
	 * Let it leave its database server, so that the last one stops that too.
	 */
	@Override
	public void close() {
		if (!this.killed) {
			this.jvm.terminate();
			this.jvm.awaitExit(PATIENCE);
		}
	}

}

package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A worker process that is started again whenever it ends, until it is stopped.
 */
final class SupervisedWorker implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * Far less than all large payloads need that may wait.
	 */
	private static final List<String> HEAP = List.of("-Xmx256m");

	private final Redirect log;

	private final String[] arguments;

	private CompletableFuture<Void> succession = CompletableFuture.completedFuture(null);

	private OtherJvm jvm;

	private boolean stopping;

	/**
	 * Start a worker.
	 * @param log the file for the log of each of its lives
	 * @param arguments its arguments
	 */
	SupervisedWorker(Path log, String... arguments) throws IOException {
		this.log = Redirect.appendTo(log.toFile());
		this.arguments = arguments;
		this.jvm = start();
	}

	private OtherJvm start() throws IOException {
		OtherJvm started = OtherJvm.start(this.log, HEAP, ChaosWorker.class, this.arguments);
		this.succession = started.handle().onExit().thenRun(this::restart);
		return started;
	}

	private synchronized void restart() {
		try {
			if (!this.stopping) {
				this.jvm = start();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until the first life has begun.
	 */
	void awaitReady() {
		jvm().await(ChaosWorker.READY);
	}

	synchronized OtherJvm jvm() {
		return this.jvm;
	}

	/**
	 * Let it stop as an application does that shuts down.
	 * @throws Exception if it does not end in time, or could not be started again before
	 */
	void stop() throws Exception {
		CompletableFuture<Void> end = stopping();
		jvm().endInput();
		end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	private synchronized CompletableFuture<Void> stopping() {
		this.stopping = true;
		return this.succession;
	}

	@Override
	public void close() {
		CompletableFuture<Void> end = stopping();
		jvm().close();
		end.join();
	}

}

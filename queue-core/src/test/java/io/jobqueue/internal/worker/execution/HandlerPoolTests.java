package io.jobqueue.internal.worker.execution;

import java.util.ArrayDeque;
import java.util.Queue;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that are started, or cannot be.
 */
class HandlerPoolTests {

	private final Queue<Runnable> started = new ArrayDeque<>();

	private boolean outOfThreads;

	private final HandlerPool pool = new HandlerPool(2, this::startThread, () -> {
	});

	private void startThread(Runnable work) {
		if (this.outOfThreads) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		this.started.add(work);
	}

	@Test
	void startsThreadsUpToTheConcurrency() {
		this.pool.startThreads(3);
		assertThat(this.started).hasSize(2);
		assertThat(this.pool.isComplete()).isTrue();
	}

	@Test
	void startsThreadsLaterIfNoneCanBeStarted() {
		this.outOfThreads = true;
		this.pool.startThreads(1);
		assertThat(this.pool.active()).isZero();
		this.outOfThreads = false;
		this.pool.startThreads(1);
		assertThat(this.pool.active()).isEqualTo(1);
	}

}

package io.jobqueue.worker.execution;

import java.util.ArrayDeque;
import java.util.Queue;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that are hired, or cannot be.
 */
class HandlerPoolTests {

	private final Queue<Runnable> hired = new ArrayDeque<>();

	private boolean outOfThreads;

	private final HandlerPool pool = new HandlerPool(2, this::hire, () -> {
	});

	private void hire(Runnable work) {
		if (this.outOfThreads) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		this.hired.add(work);
	}

	@Test
	void hiresAsManyAsThereAre() {
		this.pool.employ(3);
		assertThat(this.hired).hasSize(2);
		assertThat(this.pool.isComplete()).isTrue();
	}

	@Test
	void hiresLaterWhereThereIsNoThread() {
		this.outOfThreads = true;
		this.pool.employ(1);
		assertThat(this.pool.active()).isZero();
		this.outOfThreads = false;
		this.pool.employ(1);
		assertThat(this.pool.active()).isEqualTo(1);
	}

}

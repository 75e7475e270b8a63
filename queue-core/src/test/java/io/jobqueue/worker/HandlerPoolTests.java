package io.jobqueue.worker;

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

	private final HandlerPool crew = new HandlerPool(2, this::hire, () -> {
	});

	private void hire(Runnable work) {
		if (this.outOfThreads) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		this.hired.add(work);
	}

	@Test
	void hiresAsManyAsThereAre() {
		this.crew.employ(3);
		assertThat(this.hired).hasSize(2);
		assertThat(this.crew.isComplete()).isTrue();
	}

	@Test
	void hiresLaterWhereThereIsNoThread() {
		this.outOfThreads = true;
		this.crew.employ(1);
		assertThat(this.crew.active()).isZero();
		this.outOfThreads = false;
		this.crew.employ(1);
		assertThat(this.crew.active()).isEqualTo(1);
	}

}

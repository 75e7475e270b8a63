package io.jobqueue.benchmark.timing;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Progress}.
 */
class ProgressTests {

	@Test
	void rateIsThatBetweenNotes() throws Exception {
		Progress progress = new Progress(1, 50, 100);
		progress.add(10);
		Thread.sleep(20);
		progress.add(40);
		progress.add(60);
		progress.await();
		assertThat(progress.done()).isEqualTo(110);
		assertThat(progress.rate()).isBetween(1.0, 100 / 0.02);
		assertThat(progress.rate(0, 1)).isBetween(1.0, 40 / 0.02);
		assertThat(progress.rate(1, 2)).isGreaterThan(progress.rate(0, 1));
	}

	@Test
	void isCompleteAtItsLastTarget() {
		Progress progress = Progress.of(3);
		progress.add(2);
		assertThat(progress.isComplete()).isFalse();
		progress.add(1);
		assertThat(progress.isComplete()).isTrue();
	}

}

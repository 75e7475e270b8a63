package io.jobqueue.benchmark.dashboard;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PageTimes}.
 */
class PageTimesTests {

	private final PageTimes times = new PageTimes();

	@Test
	void oneSlowLoadInTwentyIsNotOver() {
		add(19, 150_000, "jobs");
		add(1, 3_000_000, "jobs");
		assertThat(this.times.line("page")).isEqualTo("PAGE page p50=150 p95=150 max=3000 unit=ms");
		add(1, 3_000_000, "jobs");
		assertThat(this.times.isOver()).isTrue();
		assertThat(this.times.line("page")).endsWith(" unit=ms OVER");
	}

	@Test
	void searchThatHasStoppedMayTakeASecond() {
		add(2, 990_000, "The search stopped after 1 s before it had examined all jobs");
		assertThat(this.times.isOver()).isFalse();
		assertThat(this.times.line("page")).endsWith(" unit=ms partial");
		add(2, 1_100_000, "jobs");
		assertThat(this.times.line("page")).endsWith(" unit=ms partial OVER");
	}

	private void add(int loads, long micros, String page) {
		for (int load = 0; load < loads; load++) {
			this.times.add(micros, page);
		}
	}

}

package io.jobqueue.internal.worker.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.ClaimedJobBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * The order of waiting jobs, and their removal.
 */
class WaitingJobsTests {

	private final WaitingJobs waiting = new WaitingJobs();

	@Test
	void mostUrgentIsFirstWhateverTheOrderOfTheClaims() {
		this.waiting.add(List.of(job(50, 5), job(50, 2)));
		this.waiting.add(List.of(job(60, 1), job(50, 3)));
		this.waiting.add(List.of(job(40, 4)));
		assertThat(this.waiting.lastPriority()).isEqualTo(60);
		assertThat(polled()).containsExactly(4L, 2L, 3L, 5L, 1L);
		assertThat(this.waiting.isEmpty()).isTrue();
		assertThat(this.waiting.poll()).isNull();
	}

	@Test
	void removesWhatMatches() {
		this.waiting.add(jobs(5));
		assertThat(this.waiting.removeIf((job) -> job.job().seq() % 2 == 1)).extracting((job) -> job.job().seq())
			.containsExactly(1L, 3L);
		assertThat(this.waiting.size()).isEqualTo(3);
		assertThat(polled()).containsExactly(0L, 2L, 4L);
	}

	@Test
	void keepsTheOthersIfAClaimCannotBeAdded() {
		this.waiting.add(jobs(2));
		assertThatNullPointerException()
			.isThrownBy(() -> this.waiting.add(Arrays.asList(job(50, 7), null, job(40, 8))));
		assertThat(polled()).containsExactly(0L, 1L);
	}

	@Test
	void keepsAllIfTheTestThrows() {
		this.waiting.add(jobs(3));
		assertThatIllegalStateException().isThrownBy(() -> this.waiting.removeIf(WaitingJobsTests::isFirst));
		assertThat(polled()).containsExactly(0L, 1L, 2L);
	}

	private static boolean isFirst(BufferedJob job) {
		if (job.job().seq() > 0) {
			throw new IllegalStateException();
		}
		return true;
	}

	private List<Long> polled() {
		List<Long> polled = new ArrayList<>();
		while (!this.waiting.isEmpty()) {
			polled.add(this.waiting.poll().job().seq());
		}
		return polled;
	}

	private static List<BufferedJob> jobs(int count) {
		return LongStream.range(0, count).mapToObj((seq) -> job(50, seq)).toList();
	}

	private static BufferedJob job(int priority, long seq) {
		return new BufferedJob(new ClaimedJobBuilder().priority(priority).seq(seq).build(), 0, 0, null);
	}

}

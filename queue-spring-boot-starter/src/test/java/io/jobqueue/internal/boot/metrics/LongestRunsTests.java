package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

class LongestRunsTests {

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE);

	private final AtomicInteger snapshots = new AtomicInteger();

	private final LongestRuns runs = new LongestRuns(this::running, new TagValues(new TestNames()), this.now::get);

	@Test
	void gaugesThatAreReadTogetherShareASnapshot() {
		for (PriorityClass priority : PriorityClass.values()) {
			assertThat(this.runs.seconds(new QueueClass("(other)", priority)))
				.isEqualTo((priority == PriorityClass.EVENTUAL) ? 1 : 0);
		}
		assertThat(this.snapshots).hasValue(1);
	}

	@Test
	void snapshotIsUsedForATenthOfASecond() {
		seconds();
		this.now.addAndGet(Duration.ofMillis(99).toNanos());
		assertThat(seconds()).isEqualTo(1);
		this.now.addAndGet(Duration.ofMillis(1).toNanos());
		assertThat(seconds()).isEqualTo(2);
		assertThat(this.snapshots).hasValue(2);
	}

	private double seconds() {
		return this.runs.seconds(new QueueClass("(other)", PriorityClass.EVENTUAL));
	}

	private Stream<RunningJob> running() {
		Duration time = Duration.ofSeconds(this.snapshots.incrementAndGet());
		return Stream.of(new RunningJob("faxes", "Fax", Priority.EVENTUAL, time));
	}

}

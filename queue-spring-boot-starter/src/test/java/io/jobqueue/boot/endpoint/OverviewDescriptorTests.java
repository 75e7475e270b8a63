package io.jobqueue.boot.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.QueuePause;
import io.jobqueue.boot.endpoint.QueueResource.OverviewDescriptor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounds of an {@link OverviewDescriptor}.
 */
class OverviewDescriptorTests {

	private static final JobStats EMPTY = new JobStats(Map.of(), Set.of(JobState.READY), Map.of(), false);

	@Test
	void sizeIsBounded() {
		OverviewDescriptor overview = overview(1_001);
		assertThat(overview.queues()).hasSize(1_000).containsKey("queue-0999").doesNotContainKey("queue-1000");
		assertThat(overview.queues().get("queue-0000").capped()).containsExactly(JobState.READY);
		assertThat(overview.partial()).isTrue();
		assertThat(overview.pauses()).hasSize(1_000);
	}

	@Test
	void nothingIsMissingAtTheBound() {
		OverviewDescriptor overview = overview(1_000);
		assertThat(overview.queues()).hasSize(1_000);
		assertThat(overview.partial()).isFalse();
		assertThat(overview.pauses()).hasSize(1_000);
	}

	@Test
	void partialIsTrueIfQueuesAreMissing() {
		Map<String, JobStats> queues = Map.of("emails", EMPTY);
		assertThat(OverviewDescriptor.of(new JobStats(Map.of(), Set.of(), queues, false), List.of()).partial())
			.isFalse();
		assertThat(OverviewDescriptor.of(new JobStats(Map.of(), Set.of(), queues, true), List.of()).partial()).isTrue();
	}

	private static OverviewDescriptor overview(int size) {
		List<String> names = IntStream.range(0, size).mapToObj("queue-%04d"::formatted).toList();
		Map<String, JobStats> queues = names.stream().collect(Collectors.toMap(Function.identity(), (name) -> EMPTY));
		List<QueuePause> pauses = names.stream().map(OverviewDescriptorTests::pause).toList();
		return OverviewDescriptor.of(new JobStats(Map.of(), Set.of(), queues, false), pauses);
	}

	private static QueuePause pause(String queue) {
		return new QueuePause(queue, null, Instant.EPOCH, null);
	}

}

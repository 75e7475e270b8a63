package io.jobqueue.internal.boot.endpoint;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/**
 * The bounds of an overview of queues.
 */
class OverviewTests {

	private static final JobStats EMPTY = new JobStats(Map.of(), Set.of(JobState.READY), Map.of(), false);

	@Test
	void sizeIsBounded() {
		Map<String, Object> overview = overview(1_001);
		assertThat(overview).extracting("queues", MAP)
			.hasSize(1_000)
			.containsKey("queue-0999")
			.doesNotContainKey("queue-1000")
			.extractingByKey("queue-0000", MAP)
			.containsEntry("capped", List.of(JobState.READY));
		assertThat(overview).containsEntry("partial", true).extracting("pauses", LIST).hasSize(1_000);
	}

	@Test
	void nothingIsMissingAtTheBound() {
		Map<String, Object> overview = overview(1_000);
		assertThat(overview).extracting("queues", MAP).hasSize(1_000);
		assertThat(overview).containsEntry("partial", false).extracting("pauses", LIST).hasSize(1_000);
	}

	@Test
	void partialIsTrueIfQueuesAreMissing() {
		Map<String, JobStats> queues = Map.of("emails", EMPTY);
		assertThat(QueueResource.overview(new JobStats(Map.of(), Set.of(), queues, false), List.of()))
			.containsEntry("partial", false);
		assertThat(QueueResource.overview(new JobStats(Map.of(), Set.of(), queues, true), List.of()))
			.containsEntry("partial", true);
	}

	private static Map<String, Object> overview(int size) {
		List<String> names = IntStream.range(0, size).mapToObj("queue-%04d"::formatted).toList();
		Map<String, JobStats> queues = names.stream().collect(Collectors.toMap(Function.identity(), (name) -> EMPTY));
		List<QueuePause> pauses = names.stream().map(OverviewTests::pause).toList();
		return QueueResource.overview(new JobStats(Map.of(), Set.of(), queues, false), pauses);
	}

	private static QueuePause pause(String queue) {
		return new QueuePause(queue, null, Instant.EPOCH, null, null);
	}

}

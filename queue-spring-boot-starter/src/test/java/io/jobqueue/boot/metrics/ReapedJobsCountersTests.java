package io.jobqueue.boot.metrics;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.store.Position;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;

class ReapedJobsCountersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ReapedJobsCounters counters = new ReapedJobsCounters(new TestNames());

	@Test
	void declaredTypesBeginWithZero() {
		this.counters.bindTo(this.registry);
		assertThat(count("emails", "Mail")).isZero();
		assertThat(this.registry.getMeters()).hasSize(1);
	}

	@Test
	void jobsAreCounted() {
		this.counters.bindTo(this.registry);
		this.counters.count(reaped("emails", "Mail", false, 2));
		this.counters.count(reaped("emails", "Mail", true, 3));
		assertThat(count("emails", "Mail")).isEqualTo(5);
	}

	@Test
	void namesThatNobodyDeclaresAreOthers() {
		this.counters.bindTo(this.registry);
		this.counters.count(reaped("emails", "Fax", false, 1));
		this.counters.count(reaped("faxes", "Mail", false, 2));
		this.counters.count(reaped("faxes", "Fax", false, 4));
		assertThat(count("emails", "(other)")).isEqualTo(1);
		assertThat(count("(other)", "(other)")).isEqualTo(6);
	}

	private static ReapedJobs reaped(String queue, String type, boolean dead, long count) {
		return new ReapedJobs(new Tier(queue, 10), Position.at(Instant.EPOCH), type, "w", dead ? JobState.DEAD : null,
				count);
	}

	private double count(String queue, String type) {
		return this.registry.get("jobqueue.jobs.reaped").tags("queue", queue, "type", type).counter().count();
	}

	private static final class TestNames implements DeclaredNames {

		@Override
		public Set<String> queues() {
			return Set.of("emails");
		}

		@Override
		public Map<String, Set<String>> typesByQueue() {
			return Map.of("emails", Set.of("Mail"));
		}

	}

}

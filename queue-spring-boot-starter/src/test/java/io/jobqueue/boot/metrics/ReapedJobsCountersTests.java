package io.jobqueue.boot.metrics;

import java.util.Map;
import java.util.Set;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import io.jobqueue.store.ReapedJobs;

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
		this.counters.count(new ReapedJobs("emails", "Mail", "me", false, 2));
		this.counters.count(new ReapedJobs("emails", "Mail", "me", true, 3));
		assertThat(count("emails", "Mail")).isEqualTo(5);
	}

	@Test
	void namesThatNobodyDeclaresAreOthers() {
		this.counters.bindTo(this.registry);
		this.counters.count(new ReapedJobs("emails", "Fax", "me", false, 1));
		this.counters.count(new ReapedJobs("faxes", "Mail", "me", false, 2));
		this.counters.count(new ReapedJobs("faxes", "Fax", "me", false, 4));
		assertThat(count("emails", "(other)")).isEqualTo(1);
		assertThat(count("(other)", "(other)")).isEqualTo(6);
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

package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Position;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.Tier;
import io.jobqueue.worker.RunOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class JobMetersTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final Map<String, Set<String>> declared = new HashMap<>(Map.of("emails", Set.of("Mail")));

	private final TagValues tags = new TagValues(new TestNames());

	private final JobMeters meters = new JobMeters(this.tags);

	@Test
	void declaredNamesBeginWithZero() {
		this.meters.bindTo(this.registry);
		assertThat(counter("retried", "emails", "Mail")).isZero();
		assertThat(counter("dead", "emails", "Mail")).isZero();
		assertThat(counter("reaped", "emails", "Mail")).isZero();
		assertThat(timer("jobqueue.enqueue", "queue", "emails").count()).isZero();
		assertThat(timer("jobqueue.claim", "queue", "emails").count()).isZero();
		assertThat(this.registry.get("jobqueue.job.wait").timers())
			.extracting((timer) -> timer.getId().getTag("priority"))
			.containsExactlyInAnyOrder("interactive", "user_visible", "eventual", "reporting");
		assertThat(this.registry.getMeters()).hasSize(9);
	}

	@Test
	void runsAreTimedByTheirOutcome() {
		this.meters.bindTo(this.registry);
		Duration took = Duration.ZERO;
		for (RunOutcome outcome : RunOutcome.values()) {
			took = took.plus(SECOND);
			this.meters.ended(job("emails", "Mail"), outcome, took);
		}
		assertThat(runs("succeeded")).isEqualTo(1);
		assertThat(runs("retried")).isEqualTo(2);
		assertThat(runs("dead")).isEqualTo(3);
		assertThat(runs("snoozed")).isEqualTo(4);
		assertThat(runs("cancelled")).isEqualTo(5);
		assertThat(runs("lost")).isEqualTo(6);
		assertThat(counter("retried", "emails", "Mail")).isOne();
		assertThat(counter("dead", "emails", "Mail")).isOne();
	}

	@Test
	void waitsAreTimedByPriorityClass() {
		this.meters.bindTo(this.registry);
		this.meters.begins(job("emails", "Mail"), SECOND);
		assertThat(timer("jobqueue.job.wait", "priority", "eventual").count()).isOne();
		assertThat(timer("jobqueue.job.wait", "priority", "interactive").count()).isZero();
	}

	@Test
	void callToSeveralQueuesIsOneCall() {
		this.meters.bindTo(this.registry);
		this.meters.enqueued(Set.of("emails"), SECOND);
		this.meters.enqueued(Set.of("emails", "faxes"), SECOND);
		this.meters.enqueued(Set.of("faxes"), SECOND);
		assertThat(timer("jobqueue.enqueue", "queue", "emails").count()).isOne();
		assertThat(timer("jobqueue.enqueue", "queue", "(several)").count()).isOne();
		assertThat(timer("jobqueue.enqueue", "queue", "(other)").count()).isOne();
	}

	@Test
	void reapedJobsMayBeDead() {
		this.meters.bindTo(this.registry);
		this.meters.reaped(reaped("emails", "Mail", null, 2));
		this.meters.reaped(reaped("emails", "Mail", JobState.DEAD, 3));
		assertThat(counter("reaped", "emails", "Mail")).isEqualTo(5);
		assertThat(counter("dead", "emails", "Mail")).isEqualTo(3);
	}

	@Test
	void namesThatNobodyDeclaresAreOthers() {
		this.meters.bindTo(this.registry);
		this.meters.reaped(reaped("emails", "Fax", null, 1));
		this.meters.reaped(reaped("faxes", "Mail", null, 2));
		this.meters.reaped(reaped("faxes", "Fax", null, 4));
		assertThat(counter("reaped", "emails", "(other)")).isEqualTo(1);
		assertThat(counter("reaped", "(other)", "(other)")).isEqualTo(6);
	}

	@Test
	void thousandsOfUndeclaredNamesMakeNoMeters() {
		this.meters.bindTo(this.registry);
		for (int number = 0; number < 1000; number++) {
			ClaimedJob job = job("queue-" + number, "Type" + number);
			this.meters.enqueued(Set.of(job.queue()), SECOND);
			this.meters.claimed(job.queue(), SECOND);
			this.meters.begins(job, SECOND);
			this.meters.ended(job, RunOutcome.SUCCEEDED, SECOND);
		}
		assertThat(this.registry.getMeters()).hasSizeLessThan(30);
	}

	@Test
	void namesThatAreDeclaredLaterGetTheirMeters() {
		this.meters.bindTo(this.registry);
		this.declared.put("plugins", Set.of("Plugin"));
		this.tags.refresh();
		assertThat(counter("dead", "plugins", "Plugin")).isZero();
		assertThat(timer("jobqueue.claim", "queue", "plugins").count()).isZero();
	}

	@Test
	void failingFilterHarmsNobody() {
		this.registry.config().meterFilter(new FailingFilter());
		this.meters.bindTo(this.registry);
		assertThatNoException()
			.isThrownBy(() -> this.meters.ended(job("emails", "Mail"), RunOutcome.SUCCEEDED, SECOND));
	}

	private static ClaimedJob job(String queue, String type) {
		return new ClaimedJob(new UUID(0, 1), 1, queue, type, Encoded.ofText("{}"), 20, Instant.EPOCH, 1, 1, 0, 25,
				Duration.ofHours(1), Instant.EPOCH, null, null, null, null, false);
	}

	private static ReapedJobs reaped(String queue, String type, @Nullable JobState ended, long count) {
		return new ReapedJobs(new Tier(queue, 10), Position.at(Instant.EPOCH), type, "w", ended, count);
	}

	private double runs(String outcome) {
		return timer("jobqueue.job.run", "outcome", outcome).totalTime(TimeUnit.SECONDS);
	}

	private Timer timer(String name, String tag, String value) {
		return this.registry.get(name).tag(tag, value).timer();
	}

	private double counter(String name, String queue, String type) {
		return this.registry.get("jobqueue.jobs." + name).tags("queue", queue, "type", type).counter().count();
	}

	private final class TestNames implements DeclaredNames {

		@Override
		public Set<String> queues() {
			return new HashSet<>(JobMetersTests.this.declared.keySet());
		}

		@Override
		public Map<String, Set<String>> typesByQueue() {
			return JobMetersTests.this.declared;
		}

	}

	/**
	 * Fails on meters that are registered on the way.
	 */
	private static final class FailingFilter implements MeterFilter {

		@Override
		public Meter.Id map(Meter.Id id) {
			if (id.getTags().contains(Tag.of("outcome", "succeeded"))) {
				throw new IllegalStateException("A filter failed");
			}
			return id;
		}

	}

}

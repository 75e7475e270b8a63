package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Set;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.jobqueue.PriorityClass;
import io.jobqueue.worker.completion.RunOutcome;

/**
 * The timers and counters of one registry.
 */
final class RegistryMeters {

	/**
	 * The tag of a call that enqueues to several queues at once.
	 */
	private static final String SEVERAL = "(several)";

	private final TagValues tags;

	private final MeterProvider<Timer> runs;

	private final MeterProvider<Timer> waits;

	private final MeterProvider<Timer> enqueues;

	private final MeterProvider<Timer> claims;

	private final MeterProvider<Counter> retried;

	private final MeterProvider<Counter> dead;

	private final MeterProvider<Counter> reaped;

	private final MeterProvider<Timer> lateness;

	private final MeterProvider<Counter> skipped;

	private final MeterProvider<Counter> missed;

	RegistryMeters(MeterRegistry registry, TagValues tags) {
		this.tags = tags;
		this.runs = timer("jobqueue.job.run", "Run time of handlers", Duration.ofMillis(1), Duration.ofMinutes(30))
			.withRegistry(registry);
		this.waits = timer("jobqueue.job.wait", "Time from when a job is due until its handler starts",
				Duration.ofMillis(1), Duration.ofHours(1))
			.withRegistry(registry);
		this.enqueues = timer("jobqueue.enqueue", "Time that a caller waits for its jobs to be written",
				Duration.ofNanos(100_000), Duration.ofSeconds(10))
			.withRegistry(registry);
		this.claims = timer("jobqueue.claim", "Time that a worker waits for the answer to a claim",
				Duration.ofNanos(100_000), Duration.ofSeconds(10))
			.withRegistry(registry);
		this.retried = counter("jobqueue.jobs.retried", "Number of attempts that failed unexpectedly and are retried")
			.withRegistry(registry);
		this.dead = counter("jobqueue.jobs.dead", "Number of jobs that became dead").withRegistry(registry);
		this.reaped = counter("jobqueue.jobs.reaped",
				"Number of jobs reaped because their worker sent no heartbeat or they exceeded their run time")
			.withRegistry(registry);
		this.lateness = timer("jobqueue.recurring.lateness", "Time from a tick of a schedule to the commit of its jobs",
				Duration.ofMillis(1), Duration.ofHours(1))
			.withRegistry(registry);
		this.skipped = counter("jobqueue.recurring.skipped",
				"Number of ticks that enqueued no job because the last one was live")
			.withRegistry(registry);
		this.missed = counter("jobqueue.recurring.missed", "Number of missed ticks that enqueued no job")
			.withRegistry(registry);
	}

	/**
	 * Percentiles come from buckets, which end where more detail has no use. Settings and
	 * filters of the application take precedence.
	 */
	private static Timer.Builder timer(String name, String description, Duration shortest, Duration longest) {
		return Timer.builder(name)
			.description(description)
			.minimumExpectedValue(shortest)
			.maximumExpectedValue(longest);
	}

	private static Counter.Builder counter(String name, String description) {
		return Counter.builder(name).description(description);
	}

	/**
	 * Register what may be counted here, since a counter that begins with its first
	 * increase does not show it, and the timers of queues. A timer may have many buckets:
	 * queues of other applications have none.
	 */
	void fill() {
		this.lateness.withTags();
		left(0, 0);
		fill(DeclaredNames.OTHER, DeclaredNames.OTHER);
		this.tags.typesByQueue().forEach((queue, types) -> {
			fill(queue, DeclaredNames.OTHER);
			types.forEach((type) -> fill(queue, type));
		});
		this.tags.ownQueues().forEach((queue) -> {
			this.enqueues.withTag("queue", queue);
			this.claims.withTag("queue", queue);
		});
	}

	private void fill(String queue, String type) {
		count(this.retried, queue, type, 0);
		count(this.dead, queue, type, 0);
		count(this.reaped, queue, type, 0);
	}

	private void count(MeterProvider<Counter> counter, String queue, String type, long jobs) {
		counter.withTags("queue", this.tags.queue(queue), "type", this.tags.type(queue, type)).increment((double) jobs);
	}

	void enqueued(Set<String> queues, Duration took) {
		String tag = (queues.size() == 1) ? this.tags.queue(queues.iterator().next()) : SEVERAL;
		this.enqueues.withTag("queue", tag).record(took);
	}

	void claimed(String queue, Duration took) {
		this.claims.withTag("queue", this.tags.queue(queue)).record(took);
	}

	void waited(String queue, PriorityClass priority, Duration time) {
		this.waits.withTags("queue", this.tags.queue(queue), "priority", priority.tagValue()).record(time);
	}

	/**
	 * Record a run. The timer of an outcome appears with the first run that ends so.
	 */
	void ended(String queue, String type, RunOutcome outcome, Duration took) {
		this.runs
			.withTags("queue", this.tags.queue(queue), "type", this.tags.type(queue, type), "outcome",
					outcome.tagValue())
			.record(took);
		if (outcome == RunOutcome.RETRIED) {
			count(this.retried, queue, type, 1);
		}
		else if (outcome == RunOutcome.DEAD) {
			count(this.dead, queue, type, 1);
		}
	}

	void reaped(String queue, String type, long jobs) {
		count(this.reaped, queue, type, jobs);
	}

	/**
	 * Schedules have no tags: there may be tens of thousands.
	 */
	void ticked(Duration late) {
		this.lateness.withTags().record(late);
	}

	void left(long ticksSkipped, long ticksMissed) {
		this.skipped.withTags().increment((double) ticksSkipped);
		this.missed.withTags().increment((double) ticksMissed);
	}

	void died(String queue, String type, long jobs) {
		count(this.dead, queue, type, jobs);
	}

}

package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.jobqueue.worker.completion.RunOutcome;

/**
 * The meters of one queue and type in one registry. A timer has many buckets: it appears
 * with the first run that ends so.
 */
final class TypeMeters {

	private final Tags tags;

	private final MeterRegistry registry;

	private final Map<RunOutcome, Timer> runs = new ConcurrentHashMap<>();

	private final Counter retried;

	private final Counter dead;

	private final Counter reaped;

	TypeMeters(String queue, String type, MeterRegistry registry) {
		this.tags = Tags.of("queue", queue, "type", type);
		this.registry = registry;
		this.retried = counter("jobqueue.jobs.retried", "Number of attempts that failed unexpectedly and are retried");
		this.dead = counter("jobqueue.jobs.dead", "Number of jobs that became dead");
		this.reaped = counter("jobqueue.jobs.reaped",
				"Number of jobs reaped because their worker sent no heartbeat or they exceeded their run time");
	}

	private Counter counter(String name, String description) {
		return Counter.builder(name).tags(this.tags).description(description).register(this.registry);
	}

	void ended(RunOutcome outcome, Duration took) {
		this.runs.computeIfAbsent(outcome, this::timer).record(took);
		if (outcome == RunOutcome.RETRIED) {
			this.retried.increment();
		}
		else if (outcome == RunOutcome.DEAD) {
			this.dead.increment();
		}
	}

	private Timer timer(RunOutcome outcome) {
		return JobTimer.RUN.register(this.registry, this.tags.and("outcome", outcome.tagValue()));
	}

	void reaped(long jobs) {
		this.reaped.increment((double) jobs);
	}

	void died(long jobs) {
		this.dead.increment((double) jobs);
	}

}

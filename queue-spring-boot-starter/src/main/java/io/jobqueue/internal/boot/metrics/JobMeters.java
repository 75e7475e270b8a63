package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Priority;
import io.jobqueue.internal.outbox.EnqueueListener;
import io.jobqueue.internal.recurring.TickListener;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.worker.completion.RunOutcome;
import io.jobqueue.internal.worker.completion.WorkListener;

/**
 * Timers and counters of the jobs that this node enqueues, claims, runs and reaps, and of
 * the schedules that it ticks.
 */
public final class JobMeters implements MeterBinder, WorkListener, EnqueueListener, TickListener {

	private static final Timer.Builder RUNS = timer("jobqueue.job.run", "Run time of handlers", Duration.ofMillis(1),
			Duration.ofMinutes(30));

	private static final Timer.Builder WAITS = timer("jobqueue.job.wait",
			"Time from when a job is due until its handler starts", Duration.ofMillis(1), Duration.ofHours(1));

	private static final Timer.Builder ENQUEUES = timer("jobqueue.enqueue",
			"Time that a caller waits for its jobs to be written", Duration.ofNanos(100_000), Duration.ofSeconds(10));

	private static final Timer.Builder CLAIMS = timer("jobqueue.claim",
			"Time that a worker waits for the answer to a claim", Duration.ofNanos(100_000), Duration.ofSeconds(10));

	private static final Timer.Builder LATENESS = timer("jobqueue.recurring.lateness",
			"Time from a tick of a schedule to the commit of its jobs", Duration.ofMillis(1), Duration.ofHours(1));

	private static final Counter.Builder RETRIED = Counter.builder("jobqueue.jobs.retried")
		.description("Number of attempts that failed unexpectedly and are retried");

	private static final Counter.Builder DEAD = Counter.builder("jobqueue.jobs.dead")
		.description("Number of jobs that became dead");

	private static final Counter.Builder REAPED = Counter.builder("jobqueue.jobs.reaped")
		.description("Number of jobs reaped because their worker sent no heartbeat or they exceeded their run time");

	private static final Counter.Builder SKIPPED = Counter.builder("jobqueue.recurring.skipped")
		.description("Number of ticks that enqueued no job because the last one was live");

	private static final Counter.Builder MISSED = Counter.builder("jobqueue.recurring.missed")
		.description("Number of missed ticks that enqueued no job");

	/**
	 * The tag of a call that enqueues to several queues at once.
	 */
	private static final String SEVERAL = "(several)";

	private static final Logger logger = LoggerFactory.getLogger(JobMeters.class);

	private final TagValues tags;

	private final Collection<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	private volatile boolean failing;

	/**
	 * Create meters.
	 * @param tags the names that have meters of their own
	 */
	public JobMeters(TagValues tags) {
		this.tags = tags;
		tags.onAdded(() -> this.registries.forEach(this::fill));
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

	@Override
	public void bindTo(MeterRegistry registry) {
		this.tags.refresh();
		fill(registry);
		this.registries.add(registry);
	}

	/**
	 * Register what may be counted here, since a counter that begins with its first
	 * increase does not show it, and the timers of queues. A timer may have many buckets:
	 * queues of other applications have none.
	 */
	private void fill(MeterRegistry registry) {
		LATENESS.register(registry);
		SKIPPED.register(registry).increment(0);
		MISSED.register(registry).increment(0);
		fill(registry, DeclaredNames.OTHER, DeclaredNames.OTHER);
		this.tags.typesByQueue().forEach((queue, types) -> {
			fill(registry, queue, DeclaredNames.OTHER);
			types.forEach((type) -> fill(registry, queue, type));
		});
		this.tags.ownQueues().forEach((queue) -> {
			ENQUEUES.withRegistry(registry).withTags(of(queue));
			CLAIMS.withRegistry(registry).withTags(of(queue));
		});
	}

	private void fill(MeterRegistry registry, String queue, String type) {
		Stream.of(RETRIED, DEAD, REAPED)
			.forEach((counter) -> counter.withRegistry(registry).withTags(of(queue, type)).increment(0));
	}

	private Tags of(String queue) {
		return Tags.of("queue", this.tags.queue(queue));
	}

	private Tags of(String queue, String type) {
		return of(queue).and("type", this.tags.type(queue, type));
	}

	@Override
	public void enqueued(Map<String, String> queues, Duration took) {
		record(ENQUEUES, (queues.size() == 1) ? of(queues.keySet().iterator().next()) : Tags.of("queue", SEVERAL),
				took);
	}

	@Override
	public void claimed(String queue, Duration took) {
		record(CLAIMS, of(queue), took);
	}

	@Override
	public void begins(ClaimedJob job, Duration waited) {
		record(WAITS, of(job.queue()).and("priority", Priority.of(job.priority()).priorityClass().tagValue()), waited);
	}

	/**
	 * Record a run. The timer of an outcome appears with the first run that ends so.
	 */
	@Override
	public void ended(ClaimedJob job, RunOutcome outcome, Duration took) {
		Tags type = of(job.queue(), job.type());
		record(RUNS, type.and("outcome", outcome.tagValue()), took);
		if (outcome == RunOutcome.RETRIED) {
			count(RETRIED, type, 1);
		}
		else if (outcome == RunOutcome.DEAD) {
			count(DEAD, type, 1);
		}
	}

	/**
	 * Schedules have no tags: there may be tens of thousands.
	 */
	@Override
	public void ticked(Duration late) {
		record(LATENESS, Tags.empty(), late);
	}

	@Override
	public void left(long skipped, long missed) {
		count(SKIPPED, Tags.empty(), skipped);
		count(MISSED, Tags.empty(), missed);
	}

	/**
	 * Count the jobs that the reaper has reaped.
	 * @param jobs the jobs
	 */
	public void reaped(ReapedJobs jobs) {
		Tags type = of(jobs.tier().queue(), jobs.type());
		count(REAPED, type, jobs.count());
		count(DEAD, type, jobs.dead() ? jobs.count() : 0);
	}

	/**
	 * Count a job that failed with a predecessor.
	 * @param job the dead job
	 */
	public void failed(EndedJob job) {
		count(DEAD, of(job.tier().queue(), job.type()), 1);
	}

	private void record(Timer.Builder timer, Tags tags, Duration took) {
		update((registry) -> timer.withRegistry(registry).withTags(tags).record(took));
	}

	private void count(Counter.Builder counter, Tags tags, long number) {
		update((registry) -> counter.withRegistry(registry).withTags(tags).increment((double) number));
	}

	/**
	 * An exception of a registry or a filter of the application must not affect jobs.
	 */
	private void update(Consumer<MeterRegistry> recording) {
		this.registries.forEach((registry) -> update(registry, recording));
	}

	private void update(MeterRegistry registry, Consumer<MeterRegistry> recording) {
		try {
			recording.accept(registry);
		}
		catch (Throwable ex) {
			if (!this.failing) {
				logger.warn("Could not record a meter; further failures are not logged", ex);
			}
			this.failing = true;
		}
	}

}

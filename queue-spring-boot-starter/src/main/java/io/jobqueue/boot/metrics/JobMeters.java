package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Priority;
import io.jobqueue.outbox.EnqueueListener;
import io.jobqueue.recurring.TickListener;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.worker.completion.RunOutcome;
import io.jobqueue.worker.completion.WorkListener;

/**
 * Timers and counters of the jobs that this node enqueues, claims, runs and reaps, and of
 * the schedules that it ticks.
 */
public final class JobMeters implements MeterBinder, WorkListener, EnqueueListener, TickListener {

	private static final Logger logger = LoggerFactory.getLogger(JobMeters.class);

	private final TagValues tags;

	private final Collection<RegistryMeters> registries = new CopyOnWriteArrayList<>();

	private volatile boolean failing;

	/**
	 * Create meters.
	 * @param tags the names that have meters of their own
	 */
	public JobMeters(TagValues tags) {
		this.tags = tags;
		tags.onAdded(() -> this.registries.forEach(RegistryMeters::fill));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.tags.refresh();
		RegistryMeters meters = new RegistryMeters(registry, this.tags);
		meters.fill();
		this.registries.add(meters);
	}

	@Override
	public void enqueued(Map<String, String> queues, Duration took) {
		record((meters) -> meters.enqueued(queues.keySet(), took));
	}

	@Override
	public void claimed(String queue, Duration took) {
		record((meters) -> meters.claimed(queue, took));
	}

	@Override
	public void begins(ClaimedJob job, Duration waited) {
		record((meters) -> meters.waited(job.queue(), Priority.of(job.priority()).priorityClass(), waited));
	}

	@Override
	public void ended(ClaimedJob job, RunOutcome outcome, Duration took) {
		record((meters) -> meters.ended(job.queue(), job.type(), outcome, took));
	}

	@Override
	public void ticked(Duration late) {
		record((meters) -> meters.ticked(late));
	}

	@Override
	public void left(long skipped, long missed) {
		record((meters) -> meters.left(skipped, missed));
	}

	/**
	 * Count the jobs that the reaper has reaped.
	 * @param jobs the jobs
	 */
	public void reaped(ReapedJobs jobs) {
		record((meters) -> {
			meters.reaped(jobs.tier().queue(), jobs.type(), jobs.count());
			meters.died(jobs.tier().queue(), jobs.type(), jobs.dead() ? jobs.count() : 0);
		});
	}

	/**
	 * Count a job that failed with a predecessor.
	 * @param job the dead job
	 */
	public void failed(EndedJob job) {
		record((meters) -> meters.died(job.tier().queue(), job.type(), 1));
	}

	/**
	 * An exception of a registry or a filter of the application must not affect jobs.
	 */
	private void record(Consumer<RegistryMeters> recording) {
		this.registries.forEach((registry) -> record(registry, recording));
	}

	private void record(RegistryMeters registry, Consumer<RegistryMeters> recording) {
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

package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.jobqueue.store.ReapedJobs;

/**
 * Counts the jobs that this node's reaper took away from workers.
 */
public final class ReapedJobsCounters implements MeterBinder {

	private final DeclaredNames names;

	private final Collection<MeterRegistry> registries = new CopyOnWriteArrayList<>();

	/**
	 * Create counters.
	 * @param names the names that this node knows of
	 */
	public ReapedJobsCounters(DeclaredNames names) {
		this.names = names;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.registries.add(registry);
		this.names.typesByQueue().forEach((queue, types) -> types.forEach((type) -> counter(queue, type, registry)));
	}

	/**
	 * Count jobs.
	 * @param jobs the jobs
	 */
	public void count(ReapedJobs jobs) {
		String queue = this.names.queues().contains(jobs.tier().queue()) ? jobs.tier().queue() : DeclaredNames.OTHER;
		Set<String> types = this.names.typesByQueue().getOrDefault(jobs.tier().queue(), Set.of());
		String type = types.contains(jobs.type()) ? jobs.type() : DeclaredNames.OTHER;
		this.registries.forEach((registry) -> counter(queue, type, registry).increment((double) jobs.count()));
	}

	private static Counter counter(String queue, String type, MeterRegistry registry) {
		return Counter.builder("jobqueue.jobs.reaped")
			.tag("queue", queue)
			.tag("type", type)
			.description("Number of jobs that were taken away from a silent worker or ran too long")
			.register(registry);
	}

}

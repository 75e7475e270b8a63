package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Tier;

/**
 * Where new jobs wait, from what was written and when: to read it back would cost as much
 * as to write it.
 */
final class Arrivals {

	private Arrivals() {
	}

	/**
	 * Return the first arrival in each tier.
	 * @param jobs the jobs
	 * @param at the database's time when they were written
	 */
	static Collection<Arrival> of(List<NewJob> jobs, Instant at) {
		Map<Tier, Arrival> arrivals = new TreeMap<>();
		jobs.forEach((job) -> arrivals.merge(new Tier(job.queue(), job.priority()), of(job, at), Arrival::and));
		return arrivals.values();
	}

	private static Arrival of(NewJob job, Instant at) {
		Instant wanted = (job.runAt() != null) ? job.runAt() : at.plus(job.delay());
		Instant runAt = wanted.isAfter(at) ? wanted : at;
		return new Arrival(new Tier(job.queue(), job.priority()), JobPosition.at(runAt), Duration.between(at, runAt),
				job.keys().areGated());
	}

}

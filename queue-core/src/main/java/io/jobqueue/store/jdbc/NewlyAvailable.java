package io.jobqueue.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.jobqueue.store.JobPosition;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Where new jobs wait, from what was written and when: to read it back would cost as much
 * as to write it.
 */
final class NewlyAvailable {

	private NewlyAvailable() {
	}

	/**
	 * Return the first arrival in each tier.
	 * @param jobs the jobs
	 * @param at the database's time when they were written
	 */
	static Collection<JobsAvailable> of(List<NewJob> jobs, Instant at) {
		Map<Tier, JobsAvailable> available = new TreeMap<>();
		jobs.forEach((job) -> available.merge(new Tier(job.queue(), job.priority()), of(job, at), JobsAvailable::and));
		return available.values();
	}

	private static JobsAvailable of(NewJob job, Instant at) {
		Instant wanted = (job.runAt() != null) ? job.runAt() : at.plus(job.delay());
		Instant runAt = wanted.isAfter(at) ? wanted : at;
		return new JobsAvailable(new Tier(job.queue(), job.priority()), JobPosition.at(runAt),
				Duration.between(at, runAt), job.keys().needAdmission());
	}

}

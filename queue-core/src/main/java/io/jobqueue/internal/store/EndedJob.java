package io.jobqueue.internal.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * A job that ended outside a worker: it is dead or cancelled.
 *
 * @param id the job's id
 * @param state its final state
 * @param tier its queue and priority
 * @param type the name of its type
 * @param runAt the time it was due
 * @param attempt the number of its last attempt
 * @param maxAttempts the maximum number of attempts, 0 for no limit, {@code null} if
 * unknown
 * @param createdAt the time it was enqueued
 * @param headers its encoded headers
 * @param hasSuccessors whether other jobs wait for it
 * @param batch the id of the batch that it is a member of, {@code null} for none
 * @param expired whether it is cancelled because it has expired, not by request
 */
public record EndedJob(UUID id, JobState state, Tier tier, String type, Instant runAt, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, @Nullable String headers, boolean hasSuccessors,
		@Nullable UUID batch, boolean expired) {

	/**
	 * Return the ids to be resolved by {@link DependencyStore#resolve} after the commit
	 * in which jobs have ended.
	 * @param jobs the jobs
	 * @return the ids of those that others wait for, and of their batches
	 */
	public static List<UUID> predecessors(Collection<EndedJob> jobs) {
		return jobs.stream()
			.flatMap((job) -> Stream.of(job.hasSuccessors ? job.id : null, job.batch))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/**
	 * Return the id, queue and type of the job, for log messages.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s]".formatted(this.id, this.tier.queue(), this.type);
	}

}

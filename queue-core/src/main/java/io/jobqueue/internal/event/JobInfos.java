package io.jobqueue.internal.event;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobInfo;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Creates the {@link JobInfo} of enqueued, claimed, ended and found jobs.
 */
public final class JobInfos {

	private static final Logger logger = LoggerFactory.getLogger(JobInfos.class);

	private JobInfos() {
	}

	/**
	 * Return the info of a job that was enqueued.
	 * @param job the requested job
	 * @param enqueued the stored job
	 * @return the info
	 */
	public static JobInfo of(NewJob job, EnqueuedJob enqueued) {
		Instant wanted = (job.runAt() != null) ? job.runAt() : enqueued.at().plus(job.delay());
		boolean due = !wanted.isAfter(enqueued.at());
		return new JobInfo(enqueued.receipt().id(), job.queue(), job.type(), Priority.of(job.priority()),
				state(enqueued, due), enqueued.attempts(), job.maxAttempts(), enqueued.createdAt(),
				due ? enqueued.at() : wanted, Headers.decode(job.headers()));
	}

	private static JobState state(EnqueuedJob job, boolean due) {
		if (job.blocked()) {
			return (job.attempts() > 0) ? JobState.RETRYING : JobState.BLOCKED;
		}
		if (due) {
			return JobState.READY;
		}
		return (job.attempts() > 0) ? JobState.RETRYING : JobState.SCHEDULED;
	}

	/**
	 * Return the info of a job that the tick of a schedule has enqueued.
	 * @param schedule the schedule
	 * @param job the job
	 * @param at the time it was enqueued
	 * @return the info
	 */
	public static JobInfo of(DueSchedule schedule, TickedJob job, Instant at) {
		boolean due = !job.runAt().isAfter(at);
		return new JobInfo(job.id(), schedule.queue(), schedule.type(), Priority.of(job.priority()),
				due ? JobState.READY : JobState.SCHEDULED, 0, schedule.maxAttempts(), at, due ? at : job.runAt(),
				Headers.decode(job.headers()));
	}

	/**
	 * Return the info of a job that was claimed.
	 * @param job the job
	 * @param state its current state
	 * @return the info
	 */
	public static JobInfo of(ClaimedJob job, JobState state) {
		return new JobInfo(job.id(), job.queue(), job.type(), Priority.of(job.priority()), state, job.attempt(),
				job.maxAttempts(), job.createdAt(), job.runAt(), headers(job.headers(), job.id()));
	}

	/**
	 * Return the info of a job that ended without a worker.
	 * @param job the job
	 * @return the info
	 */
	public static JobInfo of(EndedJob job) {
		return new JobInfo(job.id(), job.tier().queue(), job.type(), Priority.of(job.tier().priority()), job.state(),
				job.attempt(), job.maxAttempts(), job.createdAt(), job.runAt(), headers(job.headers(), job.id()));
	}

	/**
	 * Return the info of a job that was found in the tables.
	 * @param job the job
	 * @return the info
	 */
	public static JobInfo of(FoundJob job) {
		return new JobInfo(job.id(), job.tier().queue(), job.type(), Priority.of(job.tier().priority()), job.state(),
				job.attempts(), job.maxAttempts(), job.createdAt(), job.runAt(), headers(job.headers(), job.id()),
				job.details());
	}

	/**
	 * Rows of other programs may have headers that cannot be read.
	 */
	private static Map<String, String> headers(@Nullable String stored, UUID job) {
		try {
			return Headers.decode(stored);
		}
		catch (RuntimeException ex) {
			logger.warn("Could not read the headers of job {}; its event has none", job, ex);
			return Map.of();
		}
	}

}

package io.jobqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A stored schedule, without the payload of its jobs.
 *
 * @param name its name
 * @param queue the queue of its jobs
 * @param type the type of its jobs
 * @param cron the cron expression, {@code null} if it has a fixed rate
 * @param fixedRate the time from one tick to the next, {@code null} if it has a cron
 * expression
 * @param zone the zone in which the cron expression is evaluated, {@code null} if it has
 * a fixed rate
 * @param misfire which jobs are enqueued for missed ticks, {@code null} if this version
 * does not know the stored value
 * @param overlap what a tick does while the job of an earlier tick is live, {@code null}
 * if this version does not know the stored value
 * @param jitter the longest random delay of each job after its tick
 * @param declared whether an annotation or a setting declares it, {@code false} for one
 * that was saved at run time
 * @param pausedAt the time since which it is paused, {@code null} if it is not paused
 * @param nextAt the time of the next tick by the database's clock, {@code null} while it
 * is paused
 * @param lastAt the time of the last tick that enqueued a job, {@code null} before the
 * first
 * @param lastJob the id of the last job, {@code null} before the first
 * @param lastState the state of the last job, {@code null} before the first and when it
 * is no longer in the archive
 * @param skipped the number of ticks that enqueued no job because the last one was live
 * @param missed the number of missed ticks that enqueued no job
 */
public record RecurringJobInfo(String name, String queue, String type, @Nullable String cron,
		@Nullable Duration fixedRate, @Nullable ZoneId zone, @Nullable Misfire misfire, @Nullable Overlap overlap,
		Duration jitter, boolean declared, @Nullable Instant pausedAt, @Nullable Instant nextAt,
		@Nullable Instant lastAt, @Nullable UUID lastJob, @Nullable JobState lastState, long skipped, long missed) {
}

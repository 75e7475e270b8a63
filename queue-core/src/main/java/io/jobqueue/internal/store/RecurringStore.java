package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.PessimisticLockingFailureException;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;

/**
 * Stores the schedules of recurring jobs. The clock of the database decides which ticks
 * are due. Every change of a schedule changes its version.
 */
public interface RecurringStore {

	/**
	 * The maximum number of due schedules of a scan.
	 */
	int MAX_DUE = 100;

	/**
	 * Return the due schedules that a node ticks: those that were saved at run time, and
	 * those that it declares. One statement, without locks.
	 * @param declared the names that the node declares
	 * @param from the earliest next tick of schedules that were saved at run time; the
	 * statement does not read the dead index entries before it
	 * @param except the names of due schedules to leave out
	 * @return the due schedules, and the time of the next tick
	 */
	Scan scan(Collection<String> declared, @Nullable Instant from, Collection<String> except);

	/**
	 * Return a schedule as if it had a due tick.
	 * @param name the name
	 * @return the schedule, none if there is none, and the time
	 */
	Scan read(String name);

	/**
	 * Return schedules that a node ticks whose next tick is more than two hours, and more
	 * than two hours and their rate, ahead: those that may be too late.
	 * @param declared the names that the node declares
	 * @param after the name after which the page begins
	 * @return up to 1,000 next ticks, in the order of their names
	 */
	List<DistantTick> distant(Collection<String> declared, String after);

	/**
	 * Enqueue the jobs of ticks and move their schedules on, in one transaction of its
	 * own. A schedule whose version has changed since it was read, or that another
	 * transaction has locked, is left out together with its jobs.
	 * @param ticks the ticks, at most one for each schedule
	 * @return the names of the schedules that were ticked
	 */
	default TickResult tick(Collection<Tick> ticks) {
		return tick(ticks, null);
	}

	/**
	 * Write the ticks of schedules, like {@link #tick(Collection)}, and an operation to
	 * the operator log if one of them is written.
	 * @param ticks the ticks
	 * @param operation the operation, {@code null} for none
	 * @return the result
	 */
	TickResult tick(Collection<Tick> ticks, @Nullable LoggedOperation operation);

	/**
	 * Write an operation to the operator log, in the caller's transaction.
	 * @param operation the operation
	 * @throws PessimisticLockingFailureException if another transaction keeps the log
	 * locked, and waits are limited
	 */
	void log(LoggedOperation operation);

	/**
	 * Return schedules as they are committed, without locks.
	 * @param names the names
	 * @return the schedules that exist, and the time
	 */
	StoredSchedules read(Collection<String> names);

	/**
	 * Limit the waits of the caller's transaction: to 500 ms for each lock, and to 2 s
	 * for its own next statement, after which the server ends it and its locks.
	 */
	void limitWaits();

	/**
	 * Lock schedules in the caller's transaction until it ends.
	 * @param names the names
	 * @return the schedules that exist, and the time
	 * @throws PessimisticLockingFailureException if another transaction keeps one of them
	 * locked, and waits are limited
	 */
	StoredSchedules lock(Collection<String> names);

	/**
	 * Add or replace schedules in the caller's transaction, except for their pauses,
	 * counts and last jobs. A schedule that another transaction has added since the lock
	 * is locked and left as it is.
	 * @param schedules the schedules
	 * @param locked the schedules of these names that exist
	 * @param application the name of the application that declares them, {@code null} if
	 * none does or it has no name
	 * @return whether all were saved; else, lock and save them again
	 * @throws PessimisticLockingFailureException if another transaction that adds one of
	 * them does not end, and waits are limited
	 */
	boolean save(Collection<SavedSchedule> schedules, StoredSchedules locked, @Nullable String application);

	/**
	 * Add or replace a schedule that no application declares, like
	 * {@link #save(Collection, StoredSchedules, String)}, and write the operation to the
	 * operator log if it was saved.
	 * @param schedule the schedule
	 * @param locked the schedule of this name, if it exists
	 * @param operation the operation
	 * @return whether it was saved; else, lock and save it again
	 * @throws PessimisticLockingFailureException if another transaction that adds it does
	 * not end, and waits are limited
	 */
	boolean save(SavedSchedule schedule, StoredSchedules locked, LoggedOperation operation);

	/**
	 * Delete a schedule in the caller's transaction, and write the operation to the
	 * operator log if there was one.
	 * @param name the name
	 * @param operation the operation
	 * @return {@code false} if there is none
	 * @throws PessimisticLockingFailureException if another transaction keeps the
	 * schedule, its table or the log locked, and waits are limited
	 */
	boolean delete(String name, LoggedOperation operation);

	/**
	 * Pause a schedule in the caller's transaction.
	 * @param name the name
	 */
	void pause(String name);

	/**
	 * Resume a schedule in the caller's transaction.
	 * @param name the name
	 * @param nextAt the time of the next tick, {@code null} for never
	 */
	void resume(String name, @Nullable Instant nextAt);

	/**
	 * Return a page of schedules.
	 * @param query the selection
	 * @return the page
	 */
	RecurringJobPage list(RecurringJobQuery query);

	/**
	 * Return a schedule.
	 * @param name the name
	 * @return the schedule, {@code null} if there is none
	 */
	@Nullable RecurringJobInfo find(String name);

	/**
	 * Return a schedule as the caller's transaction sees it.
	 * @param name the name, which exists
	 * @return the schedule
	 */
	RecurringJobInfo findInTransaction(String name);

	/**
	 * When the ticks of a schedule are: by a cron expression in a zone, or at a rate.
	 *
	 * @param cron the cron expression, {@code null} with a rate
	 * @param zone the id of the zone of the cron expression, {@code null} with a rate. As
	 * the expression, it may be invalid in a row that was edited by hand
	 * @param rate the time from one tick to the next, {@code null} with an expression
	 */
	record Timing(@Nullable String cron, @Nullable String zone, @Nullable Duration rate) {
	}

	/**
	 * The job that each tick of a schedule enqueues.
	 *
	 * @param queue its queue
	 * @param type its type
	 * @param payload its encoded payload
	 * @param priority the value of its priority, {@code null} for that of the queue at
	 * the time of the tick
	 * @param maxAttempts its own maximum number of attempts
	 * @param maxRunTime its own maximum run time
	 * @param headers its encoded headers
	 * @param group its group
	 */
	record JobTemplate(String queue, String type, Encoded payload, @Nullable Integer priority,
			@Nullable Integer maxAttempts, @Nullable Duration maxRunTime, @Nullable String headers,
			@Nullable String group) {
	}

	/**
	 * A schedule as it is saved.
	 *
	 * @param name its name
	 * @param job the job of each tick
	 * @param timing when its ticks are
	 * @param misfire which jobs are enqueued for missed ticks, {@code null} if this
	 * version does not know the stored value
	 * @param overlap what a tick does while the job of an earlier tick is live,
	 * {@code null} if this version does not know the stored value
	 * @param jitter the longest random delay of each job
	 * @param declared whether an annotation or setting declares it
	 * @param anchorAt the time from which a rate counts
	 * @param nextAt the time of the next tick, {@code null} for never
	 */
	record SavedSchedule(String name, JobTemplate job, Timing timing, @Nullable Misfire misfire,
			@Nullable Overlap overlap, Duration jitter, boolean declared, Instant anchorAt, @Nullable Instant nextAt) {
	}

	/**
	 * A schedule as it is in the table.
	 *
	 * @param saved the schedule as it was saved, with the current next tick
	 * @param version its version
	 * @param paused whether it is paused
	 * @param application the name of the application that declared it last, {@code null}
	 * if unknown
	 */
	record StoredSchedule(SavedSchedule saved, long version, boolean paused, @Nullable String application) {
	}

	/**
	 * Schedules as they are in the table.
	 *
	 * @param schedules the schedules by name
	 * @param at the time of the statement by the database's clock
	 */
	record StoredSchedules(Map<String, StoredSchedule> schedules, Instant at) {
	}

	/**
	 * The result of a scan.
	 *
	 * @param due the due schedules, the one with the earliest tick first, at most
	 * {@value RecurringStore#MAX_DUE}
	 * @param more whether more schedules are due
	 * @param nextAt the time of the next tick that is not due, {@code null} if there is
	 * none
	 * @param at the time of the scan by the database's clock
	 */
	record Scan(List<DueSchedule> due, boolean more, @Nullable Instant nextAt, Instant at) {
	}

	/**
	 * A schedule with a due tick.
	 *
	 * @param name its name
	 * @param version its version
	 * @param timing when its ticks are
	 * @param misfire which jobs are enqueued for missed ticks, {@code null} if this
	 * version does not know the stored value
	 * @param overlap what a tick does while the job of an earlier tick is live,
	 * {@code null} if this version does not know the stored value
	 * @param jitter the longest random delay of each job
	 * @param anchorAt the time from which a rate counts
	 * @param dueAt the time of its next tick, that of infinity for never
	 * @param queue the queue of its jobs
	 * @param type the type of its jobs
	 * @param priority the priority of its jobs, {@code null} for that of the queue
	 * @param maxAttempts the own maximum number of attempts of its jobs
	 * @param headers the encoded headers of its jobs
	 * @param liveJob the id of its last job, {@code null} if that has ended
	 * @param retrying whether the last job waits for its next attempt after a failure
	 */
	record DueSchedule(String name, long version, Timing timing, @Nullable Misfire misfire, @Nullable Overlap overlap,
			Duration jitter, Instant anchorAt, Instant dueAt, String queue, String type, @Nullable Integer priority,
			@Nullable Integer maxAttempts, @Nullable String headers, @Nullable UUID liveJob, boolean retrying) {
	}

	/**
	 * A next tick that is more than two hours ahead.
	 *
	 * @param name the name of its schedule
	 * @param version the version of the schedule
	 * @param timing when its ticks are
	 * @param anchorAt the time from which a rate counts
	 * @param nextAt the time of the tick
	 * @param at the time of the statement by the database's clock
	 */
	record DistantTick(String name, long version, Timing timing, Instant anchorAt, Instant nextAt, Instant at) {
	}

	/**
	 * What a tick does to a schedule.
	 *
	 * @param name the name of the schedule
	 * @param version the version that the tick is based on
	 * @param nextAt the time of the next tick, {@code null} for never
	 * @param skipped the number of ticks that are skipped
	 * @param missed the number of ticks that are missed
	 * @param jobs the jobs to enqueue, the oldest tick first
	 */
	record Tick(String name, long version, @Nullable Instant nextAt, long skipped, long missed, List<TickedJob> jobs) {
	}

	/**
	 * A job that a tick enqueues.
	 *
	 * @param id the id of the job
	 * @param scheduledAt the time of the tick
	 * @param runAt the time it is due; a past one becomes now
	 * @param headers its encoded headers
	 * @param priority its priority
	 */
	record TickedJob(UUID id, Instant scheduledAt, Instant runAt, @Nullable String headers, int priority) {
	}

	/**
	 * The result of ticks.
	 *
	 * @param names the names of the schedules that were ticked
	 * @param at the time of the statement by the database's clock
	 */
	record TickResult(Set<String> names, Instant at) {
	}

}

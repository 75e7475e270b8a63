package io.jobqueue;

import java.util.Optional;

import org.springframework.lang.CheckReturnValue;

/**
 * Saves, lists and operates schedules, including those of {@link RecurringJob} and of
 * {@code jobqueue.recurring}. Each tick of a schedule enqueues exactly one job over all
 * nodes: the job and the next time of the schedule are one transaction.
 * <p>
 * {@link #save} and {@link #delete} join the caller's transaction, so that a tenant and
 * its schedule commit together; without one, each is a transaction of its own. All other
 * methods run outside it. Every change writes a line to the log, with the name of the
 * user if Spring Security knows one, and a row to the table
 * {@code jobqueue_operator_log}, in the transaction of the change. All methods throw a
 * Spring {@code DataAccessException} if the database fails.
 * <p>
 * Interceptors are not called around the enqueueing of a tick: the headers and the
 * captured context of a schedule are those of its {@code save}.
 */
public interface RecurringJobs {

	/**
	 * Return the same operations with a reason for the operator log.
	 * @param reason the reason, not confidential, at most 500 characters
	 * @return operations whose changes are logged with that reason
	 * @throws IllegalArgumentException if the reason is empty, has more than 500
	 * characters, or contains the character NUL or an unpaired surrogate
	 */
	@CheckReturnValue
	RecurringJobs because(String reason);

	/**
	 * Add a schedule, or replace the one of the same name. The first tick is the first
	 * one after now, by the database's clock. A schedule whose expression, rate and zone
	 * stay the same keeps its next tick; a pause stays as well. Of two transactions that
	 * save a name at the same time, the second waits for the first.
	 * @param job the schedule
	 * @return the stored schedule
	 * @throws JobRejectedException if the expression is invalid or never fires, the rate
	 * is shorter than a second, the payload cannot be stored, or an annotation or setting
	 * declares the name. Nothing is written, and the caller's transaction remains usable
	 */
	RecurringJobInfo save(RecurringJobRequest job);

	/**
	 * Find a schedule.
	 * @param name its name
	 * @return the schedule, empty if there is none
	 */
	Optional<RecurringJobInfo> find(String name);

	/**
	 * List schedules by name, page by page.
	 * @param query the selection
	 * @return a page
	 */
	RecurringJobPage list(RecurringJobQuery query);

	/**
	 * Enqueue a job of a schedule now, even if it is paused or its last job is live. The
	 * next tick does not change. {@link JobContext#scheduledAt()} of the job is now.
	 * @param name the name of the schedule
	 * @return the receipt of the job
	 * @throws JobOperationException if there is no such schedule, or another transaction
	 * has locked it
	 */
	JobReceipt trigger(String name);

	/**
	 * Pause a schedule: it has no ticks until {@link #resume}, also after deployments.
	 * Ticks of that time are not missed. Does nothing if it is paused already.
	 * @param name the name of the schedule
	 * @throws JobOperationException if there is no such schedule
	 */
	void pause(String name);

	/**
	 * Resume a schedule: its next tick is the first one after now. Does nothing if it is
	 * not paused.
	 * @param name the name of the schedule
	 * @throws JobOperationException if there is no such schedule
	 */
	void resume(String name);

	/**
	 * Delete a schedule. Jobs that it has enqueued stay.
	 * @param name the name of the schedule
	 * @return {@code false} if there is no such schedule
	 * @throws JobOperationException if this application declares the schedule: remove the
	 * declaration, or set its cron expression to {@value RecurringJob#DISABLED}, first;
	 * or if the caller is in no transaction and another one keeps the schedule, its table
	 * or the operator log locked for more than 500 ms
	 */
	boolean delete(String name);

}

package io.jobqueue;

/**
 * The guarantee about how often a {@link JobHandler} runs for a committed job.
 */
public enum Delivery {

	/**
	 * The job is complete only when its completion is committed. Until then it runs
	 * again, after a crash even if the handler had already finished: the handler should
	 * be idempotent.
	 */
	AT_LEAST_ONCE,

	/**
	 * The handler runs in a transaction of the queue's transaction manager. What it
	 * writes through the queue's {@code DataSource}, the jobs that it enqueues and the
	 * completion of its job commit together, or none of it does. Any outcome but success
	 * rolls back, and so does the loss of the claim while the handler runs.
	 * <p>
	 * There is no guarantee for other effects: mails, calls to remote services and
	 * separate transactions of the handler (such as {@code REQUIRES_NEW}) happen as often
	 * as the handler runs. A running handler holds one connection of the pool.
	 * <p>
	 * With {@code jobqueue.queues.<queue>.transaction-size} above 1, jobs in their first
	 * attempt share a transaction while others wait. If it is rolled back, each of them
	 * runs again, alone and in the same attempt.
	 */
	TRANSACTIONAL,

	/**
	 * The start of the job is committed before its handler begins, and the job never runs
	 * again by itself. After a crash, a stop, a failure, the maximum run time or a result
	 * that requests another run it is dead, with the reason. It can be dead although its
	 * handler never began.
	 */
	AT_MOST_ONCE

}

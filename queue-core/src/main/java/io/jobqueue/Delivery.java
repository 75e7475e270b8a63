package io.jobqueue;

/**
 * What a {@link JobHandler} is promised about how often it runs for a job that was
 * committed.
 */
public enum Delivery {

	/**
	 * The job is complete only when its completion is committed. Until then it runs
	 * again: after a crash also where the handler had already finished, so that it should
	 * be idempotent.
	 */
	AT_LEAST_ONCE,

	/**
	 * The handler runs in a transaction of the queue's transaction manager. What it
	 * writes through the queue's {@code DataSource}, the jobs that it enqueues and the
	 * completion of its job commit together, or none of it does. Whatever is not a
	 * success rolls back, and so does a handler whose job was taken away from it
	 * meanwhile.
	 * <p>
	 * Nothing is promised about effects elsewhere: a mail is sent, a remote service
	 * called, a transaction of the handler's own (such as {@code REQUIRES_NEW}) committed
	 * as often as the handler runs. While it runs, it holds one connection of the pool.
	 */
	TRANSACTIONAL,

	/**
	 * The job is marked as started, durably, before its handler begins, and never runs
	 * again by itself: a crash, a stop, a failure, its maximum run time and results that
	 * ask for another run all leave it dead, with the reason. A job whose handler never
	 * ran may be among them.
	 */
	AT_MOST_ONCE

}

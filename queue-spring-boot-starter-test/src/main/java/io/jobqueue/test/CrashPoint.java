package io.jobqueue.test;

/**
 * A point of a run at which {@link TestJobs#crashAt(CrashPoint)} simulates the end of the
 * JVM.
 */
public enum CrashPoint {

	/**
	 * The job is claimed, and its handler has not begun.
	 */
	BEFORE_HANDLER,

	/**
	 * The handler has returned. What a transactional handler wrote is rolled back; what
	 * the transactions of another handler committed stays. The outcome is lost.
	 */
	AFTER_HANDLER,

	/**
	 * The callbacks before the commit of a transactional handler have run, the completion
	 * of the job is written, and nothing is committed. For other deliveries this is the
	 * same as {@link #AFTER_HANDLER}.
	 */
	BEFORE_COMMIT

}

package io.jobqueue;

/**
 * A job that a thread has taken with a {@link JobPuller}, and has to end: with a result,
 * with the exception that stood against it, or by letting a handler run it. It may be
 * handed on to another thread; its methods are safe for use by several.
 * <p>
 * An outcome is written when the method returns, in a transaction of its own. End the job
 * after your commit, not within your transaction: if that were rolled back, what you
 * wrote would be lost, and the job with it. Therefore it is refused there with a
 * {@link JobQueueException}, and the job stays as it is.
 * <p>
 * Where the database fails, the method waits and tries again, as a worker does, until the
 * application stops; interrupts do not end that, and are kept for later. If the outcome
 * could not be written by then, a {@link JobQueueException} is thrown, and the job comes
 * back when its claim is over. So it does where the database refuses the outcome itself,
 * which is a Spring {@code DataAccessException}. If a connection breaks while it is
 * written, the result is unknown, and a {@link ClaimLostException} may be thrown although
 * it was.
 * <p>
 * The thread is never interrupted: neither when the job's maximum run time is over, which
 * fails the attempt, nor when the job is to be {@linkplain JobContext#cancelRequested
 * cancelled}.
 *
 * @param <T> the class of the payload
 */
public interface PulledJob<T> extends AutoCloseable {

	/**
	 * Return the payload.
	 * @return the payload
	 */
	T payload();

	/**
	 * Return what can be asked about the job, as in a handler: {@link JobContext#extend}
	 * and {@link JobContext#progress} work, and {@link JobContext#cancelRequested} turns
	 * within a heartbeat.
	 * @return the job
	 */
	JobContext context();

	/**
	 * End the job with a result, as if a handler had returned it.
	 * @param result what is to become of it
	 * @throws ClaimLostException if the job has been ended or taken away before: nothing
	 * is written
	 */
	void end(JobResult result);

	/**
	 * Fail this attempt, as if a handler had thrown the exception: the queue's settings
	 * decide when, and whether, the job runs again. If it is to be cancelled, it is.
	 * @param cause why
	 * @throws ClaimLostException if the job has been ended or taken away before: nothing
	 * is written
	 */
	void fail(Throwable cause);

	/**
	 * Let a handler run the job on this thread, and end it accordingly: with what it
	 * returns, or what it throws, which goes no further. {@linkplain JobInterceptor
	 * Interceptors} stand around it, the MDC names the job meanwhile, and what the job
	 * took along from the thread that enqueued it is there.
	 * <p>
	 * If the handler throws an {@code InterruptedException}, the job is released,
	 * uncounted, and the thread is interrupted again. {@code null} is a success, as
	 * everywhere. A job is run once; ending or closing it meanwhile, by another thread,
	 * does not stop the handler.
	 * @param handler what handles the job
	 * @throws ClaimLostException if the job has been ended or taken away before, or
	 * another call runs it: the handler is not called; or if that happens meanwhile:
	 * nothing is written
	 */
	void run(JobHandlerRegistry.Handler<? super T> handler);

	/**
	 * Give the job back, uncounted, unless it has been ended or taken away: it can be
	 * claimed at once. Do not leave a failure at that, or the job comes back again and
	 * again.
	 * <p>
	 * Within a transaction, this does not wait until it is written, and throws nothing.
	 * Otherwise it throws what the others do, but for a {@link ClaimLostException}.
	 */
	@Override
	void close();

}

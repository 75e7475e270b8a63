package io.jobqueue;

/**
 * A job taken with a {@link JobPuller}. The caller must end it: with a result, an
 * exception, or {@link #run}. It may be passed to another thread; all methods are safe
 * for use by several threads.
 * <p>
 * An outcome is written before the method returns, in its own transaction. End the job
 * after the commit of your transaction: if you ended it within and then rolled back, your
 * writes and the job would be lost. Within a transaction, the methods therefore throw a
 * {@link JobQueueException}, and the job does not change.
 * <p>
 * If the database fails, the method retries like a worker until the application stops; an
 * interrupt does not end the wait, and the thread is interrupted again afterwards. If the
 * outcome is still not written, a {@link JobQueueException} is thrown. If the database
 * refuses the outcome, a Spring {@code DataAccessException} is thrown: after ten seconds
 * or more if a privilege or memory is missing or the statement takes too long, otherwise
 * after one or two tries. In both cases the job runs again when its claim has expired. If
 * the connection breaks during the write, a {@link ClaimLostException} may be thrown
 * although the outcome was written.
 * <p>
 * The queue never interrupts the thread: neither after the job's maximum run time, which
 * fails the attempt, nor if its {@linkplain JobContext#cancelRequested cancellation} is
 * requested.
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
	 * Return the context of the job, as in a handler: {@link JobContext#extend} and
	 * {@link JobContext#progress} work, and {@link JobContext#cancelRequested} changes
	 * within a heartbeat.
	 * @return the context
	 */
	JobContext context();

	/**
	 * End the job with a result, as if a handler had returned it.
	 * @param result the result
	 * @throws ClaimLostException if the job has ended or its claim is lost: nothing is
	 * written
	 */
	void end(JobResult result);

	/**
	 * Fail this attempt, as if a handler had thrown the exception: the queue's settings
	 * decide whether and when the job runs again. If its cancellation is requested, it is
	 * cancelled.
	 * @param cause the exception
	 * @throws ClaimLostException if the job has ended or its claim is lost: nothing is
	 * written
	 */
	void fail(Throwable cause);

	/**
	 * Run the job with a handler on the calling thread, and end it with the handler's
	 * result or exception. The exception is not thrown to the caller.
	 * {@linkplain JobInterceptor Interceptors} are called, the MDC contains the job, and
	 * the context that was captured on the enqueuing thread is restored.
	 * <p>
	 * If the handler throws an {@code InterruptedException}, the job is released without
	 * counting the attempt, and the thread is interrupted again. The result {@code null}
	 * means success. The job can be run once; if another thread ends or closes it during
	 * the call, the handler is not stopped.
	 * @param handler the handler
	 * @throws ClaimLostException if the job has ended, its claim is lost or another call
	 * runs it: the handler is not called; or if that happens during the call: nothing is
	 * written
	 */
	void run(JobHandlerRegistry.Handler<? super T> handler);

	/**
	 * Release the job without counting the attempt, unless it has ended or its claim is
	 * lost. After a failure call {@link #fail} instead; a released job is claimed again
	 * at once.
	 * <p>
	 * Within a transaction, this method does not wait for the write and throws nothing.
	 * Otherwise it throws the exceptions of the other methods, except a
	 * {@link ClaimLostException}.
	 */
	@Override
	void close();

}

package io.jobqueue.internal.handler;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.observation.Interceptors;

/**
 * One call of a handler that takes several jobs, with interceptors around it.
 */
public final class BatchCall {

	private final BatchMethod handler;

	private final CalledJobs jobs;

	private final Callable<@Nullable Object> prepared;

	private final Interceptors interceptors;

	private @Nullable Throwable thrownByHandler;

	private boolean keepsResults;

	BatchCall(BatchMethod handler, CalledJobs jobs, Callable<@Nullable Object> prepared, Interceptors interceptors) {
		this.handler = handler;
		this.jobs = jobs;
		this.prepared = prepared;
		this.interceptors = interceptors;
	}

	/**
	 * Call the handler. A job whose cancellation was requested and for which the handler
	 * has set no result has another one than success.
	 * @param correlation receives the MDC entries of the call's trace
	 * @return a result for each job, in their order
	 * @throws InvocationTargetException with the exception of the handler or of an
	 * interceptor
	 * @throws BatchResultException if one of them has not returned a result for each job
	 */
	public List<JobResult> run(Consumer<Map<String, String>> correlation) throws InvocationTargetException {
		try {
			return this.jobs
				.decided(this.interceptors.aroundBatch(this.jobs.contexts(), correlation, this::handle, this::check));
		}
		catch (BatchResultException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			this.keepsResults = (ex == this.thrownByHandler);
			throw new InvocationTargetException(ex);
		}
		finally {
			this.jobs.end();
		}
	}

	private List<JobResult> handle() throws Exception {
		Object returned = call();
		if (this.handler.answers()) {
			this.jobs.complete(check(this.handler.description(), (List<?>) returned));
		}
		return this.jobs.results();
	}

	/**
	 * An exception within the transaction of an interceptor rolls that back.
	 */
	private @Nullable Object call() throws Exception {
		boolean inTransaction = TransactionSynchronizationManager.isActualTransactionActive();
		this.jobs.begin();
		this.thrownByHandler = null;
		try {
			return this.prepared.call();
		}
		catch (Throwable ex) {
			this.thrownByHandler = inTransaction ? null : ex;
			throw ex;
		}
	}

	private List<?> check(String source, @Nullable List<?> results) {
		return BatchResultException.check(source, this.jobs.items().size(), results);
	}

	/**
	 * Return the result that the handler has set for a job before it threw. Nothing is
	 * kept if an interceptor has thrown, as that may have rolled back what the handler
	 * has done, nor what the handler has set within a transaction.
	 * @param job the job
	 * @return the result, {@code null} if none is kept
	 */
	public @Nullable JobResult kept(JobContext job) {
		return this.keepsResults ? this.jobs.lasting(job) : null;
	}

}

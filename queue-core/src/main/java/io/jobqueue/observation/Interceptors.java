package io.jobqueue.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * Calls the interceptors of the application, the first one outermost.
 */
public final class Interceptors {

	private final ObjectProvider<JobInterceptor> beans;

	private final JobObserver observer;

	private volatile @Nullable List<JobInterceptor> chain;

	/**
	 * Create a chain.
	 * @param beans the interceptors, resolved at the first call, as they may depend on
	 * the job queue
	 * @param observer observes the requests that the chain passes on, and calls of
	 * handlers together with the chain
	 */
	public Interceptors(ObjectProvider<JobInterceptor> beans, JobObserver observer) {
		this.beans = beans;
		this.observer = observer;
	}

	/**
	 * Return whether there is no interceptor.
	 * @return {@code true} if there is none
	 */
	public boolean isEmpty() {
		return chain().isEmpty();
	}

	/**
	 * Enqueue jobs through the interceptors.
	 * @param requests the requests
	 * @param queue enqueues the requests that the chain passes on
	 * @return a receipt for each request
	 */
	public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> queue) {
		return enqueue(chain(), requests, queue);
	}

	/**
	 * Enqueue the requests that the chain has passed on, within an observation. Its trace
	 * is added to all requests, including those that an interceptor has added.
	 * @param requests the requests
	 * @param queue enqueues the requests
	 * @return a receipt for each request
	 */
	public List<JobReceipt> observeEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> queue) {
		return this.observer.enqueue(requests, queue);
	}

	/**
	 * Call a handler through the interceptors, within an observation.
	 * @param job the job
	 * @param correlation receives the MDC entries of the run's trace
	 * @param handler calls the handler
	 * @return the result of the handler
	 * @throws Exception the exception of an interceptor or of the handler
	 */
	public JobResult aroundRun(JobContext job, Consumer<Map<String, String>> correlation, Callable<JobResult> handler)
			throws Exception {
		return this.observer.run(job, correlation, isEmpty() ? handler : () -> run(chain(), job, handler));
	}

	private List<JobInterceptor> chain() {
		List<JobInterceptor> known = this.chain;
		if (known == null) {
			known = this.beans.orderedStream().toList();
			this.chain = known;
		}
		return known;
	}

	private static List<JobReceipt> enqueue(List<JobInterceptor> chain, List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> queue) {
		if (chain.isEmpty()) {
			return queue.apply(requests);
		}
		List<JobReceipt> receipts = chain.get(0)
			.aroundEnqueue(requests, (passed) -> enqueue(rest(chain), List.copyOf(passed), queue));
		check(receipts != null && receipts.size() == requests.size(), chain.get(0),
				"aroundEnqueue must return one receipt per request");
		return receipts;
	}

	private static JobResult run(List<JobInterceptor> chain, JobContext job, Callable<JobResult> handler)
			throws Exception {
		if (chain.isEmpty()) {
			return handler.call();
		}
		JobResult result = chain.get(0).aroundRun(job, () -> run(rest(chain), job, handler));
		check(result != null, chain.get(0), "aroundRun must return a result");
		return result;
	}

	private static List<JobInterceptor> rest(List<JobInterceptor> chain) {
		return chain.subList(1, chain.size());
	}

	private static void check(boolean condition, JobInterceptor interceptor, String rule) {
		if (!condition) {
			throw new JobQueueException(
					"Interceptor %s breaks its contract: %s".formatted(interceptor.getClass().getName(), rule));
		}
	}

}

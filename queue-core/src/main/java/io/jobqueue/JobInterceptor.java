package io.jobqueue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Intercepts the enqueueing and the running of jobs. Beans of this type are called in
 * their order ({@code @Order}), the first one outermost, on the thread that enqueues or
 * runs.
 *
 * <pre class="code">
 * &#64;Component
 * class Tenants implements JobInterceptor {
 *
 *     &#64;Override
 *     public List&lt;JobReceipt&gt; aroundEnqueue(List&lt;JobRequest&gt; requests,
 *             Function&lt;List&lt;JobRequest&gt;, List&lt;JobReceipt&gt;&gt; next) {
 *         String tenant = Tenant.current();
 *         return next.apply(requests.stream().map((request) -&gt; request.header("tenant", tenant)).toList());
 *     }
 *
 *     &#64;Override
 *     public JobResult aroundRun(JobContext job, Callable&lt;JobResult&gt; next) throws Exception {
 *         return Tenant.callAs(job.headers().get("tenant"), next);
 *     }
 *
 *     &#64;Override
 *     public List&lt;JobResult&gt; aroundBatch(List&lt;JobContext&gt; jobs, Callable&lt;List&lt;JobResult&gt;&gt; next)
 *             throws Exception {
 *         Set&lt;String&gt; tenants = jobs.stream().map((job) -&gt; job.headers().get("tenant")).collect(Collectors.toSet());
 *         if (tenants.size() &gt; 1) {
 *             throw new IllegalStateException("Jobs of several tenants run one by one");
 *         }
 *         return Tenant.callAs(tenants.iterator().next(), next);
 *     }
 *
 * }</pre>
 */
public interface JobInterceptor {

	/**
	 * Called around each call of a {@link JobQueue} or a {@link Batch} that writes jobs,
	 * within the transaction of the write. An exception reaches the caller unchanged, and
	 * nothing is stored: the caller's transaction stays usable if {@code next} has
	 * written nothing, otherwise it can only be rolled back.
	 * @param requests the requests to enqueue, unmodifiable and not empty
	 * @param next the next interceptor or, after the last one, the queue; returns a
	 * receipt for each request that it receives, in their order. These may be other, more
	 * or fewer requests than the given ones; at the start of a batch their number must be
	 * the same
	 * @return a receipt for each of the given requests, in their order; any other number
	 * refuses the call
	 */
	default List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> next) {
		return next.apply(requests);
	}

	/**
	 * Called around each call of a handler that takes one job, also by
	 * {@link PulledJob#run}: after the payload was decoded and, for a
	 * {@link Delivery#TRANSACTIONAL transactional} handler, within its transaction. The
	 * result or exception of this method counts as that of the handler, also for
	 * {@link JobHandler#failOn()} and {@link JobHandler#succeedOn()}.
	 * @param job the job
	 * @param next the next interceptor or, after the last one, the handler; returns its
	 * result, success if it has none, and throws its exception
	 * @return the result of the job
	 * @throws Exception to fail the attempt
	 */
	default JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
		return next.call();
	}

	/**
	 * Called instead of {@link #aroundRun} around each call of a handler that takes
	 * several jobs ({@link JobHandler#batchSize()}), also if it takes a single one this
	 * time. The jobs may have been enqueued by different callers. An application with
	 * such a handler is refused at start if an interceptor overrides {@link #aroundRun}
	 * and not this method.
	 * @param jobs the jobs, unmodifiable and not empty
	 * @param next the next interceptor or, after the last one, the handler; returns a
	 * result for each job, success if the handler has set none, and throws its exception
	 * @return a result for each job, in their order; any other number fails the attempt
	 * of each job
	 * @throws Exception to fail the call; its jobs run one by one then, whatever the
	 * handler has returned. Results that it has set by {@link JobBatch#complete} are only
	 * kept if this is its own exception
	 */
	default List<JobResult> aroundBatch(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception {
		return next.call();
	}

}

package io.jobqueue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Stands around enqueueing and running. Beans of this type are called in their order
 * ({@code @Order}), the first one outermost, on the thread that enqueues or runs.
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
 * }</pre>
 */
public interface JobInterceptor {

	/**
	 * Called around each call of a {@link JobQueue} or a {@link Batch} that writes jobs,
	 * within the transaction that they are written on. What this throws reaches the
	 * caller as it is, and nothing is stored: the caller's transaction stays usable if
	 * nothing was written before, and can only be rolled back otherwise.
	 * @param requests what is to be enqueued, unmodifiable and not empty
	 * @param next the next interceptor and, after the last one, the queue: returns a
	 * receipt for each request that it is given, in their order. The requests may be
	 * others, more or fewer than those that came in, except at the start of a batch,
	 * which must have as many
	 * @return a receipt for each of the requests that came in, in their order; any other
	 * number of them refuses the call
	 */
	default List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> next) {
		return next.apply(requests);
	}

	/**
	 * Called around each call of a handler: within its transaction, if it is
	 * {@link Delivery#TRANSACTIONAL transactional}, and after its payload was decoded.
	 * What this returns or throws decides on the job as if the handler itself had, also
	 * where {@link JobHandler#failOn()} and {@link JobHandler#succeedOn()} are concerned.
	 * Called around {@link PulledJob#run} too.
	 * @param job the job
	 * @param next the next interceptor and, after the last one, the handler: returns what
	 * it said, success if it said nothing, and throws what it threw
	 * @return what is to become of the job
	 * @throws Exception to fail the attempt
	 */
	default JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
		return next.call();
	}

}

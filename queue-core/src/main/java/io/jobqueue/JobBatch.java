package io.jobqueue;

import java.util.List;

/**
 * The jobs that one call of a handler takes ({@link JobHandler#batchSize()}), each with
 * its own context. The handler may decide the result of each.
 *
 * <pre class="code">
 * &#64;JobHandler(queue = "mails", batchSize = 500)
 * void handle(JobBatch&lt;Mail&gt; mails) {
 *     for (Item&lt;Mail&gt; item : mails.items()) {
 *         if (!this.server.accepts(item.payload())) {
 *             mails.complete(item, JobResult.fail("refused"));
 *         }
 *     }
 * }</pre>
 *
 * @param <T> the type of the payloads
 */
public interface JobBatch<T> {

	/**
	 * Return the jobs of the call.
	 * @return an unmodifiable list, not empty
	 */
	List<Item<T>> items();

	/**
	 * Set the result of a job. It is recorded when the call has ended, also if the
	 * handler throws. Not kept then is a result that was set within a transaction of the
	 * calling thread, as in a {@link Delivery#TRANSACTIONAL transactional} handler: what
	 * it stands for may have been rolled back. If a {@link JobInterceptor} around the
	 * call throws another exception than the handler, no result is kept, and if it calls
	 * the handler again, only those of the last time count. A further result of the same
	 * job replaces the first one. A job without a result of its own succeeds when the
	 * call returns, unless its cancellation was requested: then it is cancelled. Safe for
	 * use by several threads.
	 * @param item the job
	 * @param result its result
	 * @throws IllegalArgumentException if the job is not one of this call
	 * @throws IllegalStateException if the call has ended
	 */
	void complete(Item<T> item, JobResult result);

	/**
	 * A job of a call.
	 *
	 * @param <T> the type of the payload
	 * @param payload the payload
	 * @param job the context of the job; to extend its run time extends that of all jobs
	 * of the call
	 */
	record Item<T>(T payload, JobContext job) {
	}

}

package io.jobqueue.internal.handler;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;

/**
 * The jobs of one call, and the results that its handler has set for them.
 */
final class CalledJobs implements JobBatch<Object> {

	private static final JobResult CANCELLED = JobResult.fail("The cancellation of the job was requested");

	private final List<Item<Object>> items;

	private final IdentityHashMap<JobContext, @Nullable JobResult> own = new IdentityHashMap<>();

	/**
	 * The results that the handler has set outside of a transaction.
	 */
	private final IdentityHashMap<JobContext, JobResult> lasting = new IdentityHashMap<>();

	private boolean ended;

	CalledJobs(List<Item<Object>> items) {
		this.items = List.copyOf(items);
		begin();
	}

	/**
	 * Begin a call of the handler: results of an earlier one, which an interceptor
	 * repeats, do not count.
	 */
	final synchronized void begin() {
		this.lasting.clear();
		this.items.forEach((item) -> this.own.put(item.job(), null));
	}

	@Override
	public List<Item<Object>> items() {
		return this.items;
	}

	List<JobContext> contexts() {
		return this.items.stream().map(Item::job).toList();
	}

	/**
	 * The list can be changed: a handler may sort what it receives.
	 */
	List<Object> payloads() {
		List<Object> payloads = new ArrayList<>(this.items.size());
		this.items.forEach((item) -> payloads.add(item.payload()));
		return payloads;
	}

	@Override
	public synchronized void complete(Item<Object> item, JobResult result) {
		if (this.ended) {
			throw new IllegalStateException("The call has ended, and the results of its jobs are decided");
		}
		Objects.requireNonNull(item, "'item' must not be null");
		if (!this.own.containsKey(item.job())) {
			throw new IllegalArgumentException("Job %s is not one of this call".formatted(item.job().id()));
		}
		this.own.put(item.job(), Objects.requireNonNull(result, "'result' must not be null"));
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			this.lasting.remove(item.job());
		}
		else {
			this.lasting.put(item.job(), result);
		}
	}

	/**
	 * Set the results of all jobs, one for each, which the handler has returned.
	 */
	synchronized void complete(List<?> results) {
		for (int index = 0; index < results.size(); index++) {
			this.own.put(this.items.get(index).job(), (JobResult) results.get(index));
		}
	}

	/**
	 * Return the result that the handler has set for a job outside of a transaction,
	 * {@code null} if there is none. What it has set within one may have been rolled back
	 * with its cause.
	 */
	synchronized @Nullable JobResult lasting(JobContext job) {
		return this.lasting.get(job);
	}

	/**
	 * Return a result for each job, success if the handler has set none.
	 */
	synchronized List<JobResult> results() {
		return this.items.stream()
			.map((item) -> Objects.requireNonNullElse(this.own.get(item.job()), JobResult.success()))
			.toList();
	}

	/**
	 * End the call: no result can be set any more.
	 */
	synchronized void end() {
		this.ended = true;
	}

	/**
	 * Return the final results. A job whose cancellation was requested does not succeed
	 * without a result of its own.
	 * @param results a result for each job
	 */
	synchronized List<JobResult> decided(List<JobResult> results) {
		List<JobResult> decided = new ArrayList<>(results);
		for (int index = 0; index < decided.size(); index++) {
			JobContext job = this.items.get(index).job();
			if (this.own.get(job) == null && job.cancelRequested()) {
				decided.set(index, CANCELLED);
			}
		}
		return decided;
	}

}

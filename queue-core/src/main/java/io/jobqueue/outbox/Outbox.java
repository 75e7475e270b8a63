package io.jobqueue.outbox;

import java.util.Collection;
import java.util.List;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Enqueued;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.NewJob;

/**
 * The transactional outbox: writes jobs on the caller's transaction and signals them
 * after its commit.
 */
public final class Outbox implements JobQueue {

	private final RequestReader reader;

	private final CallerTransaction transaction;

	private final JobStore store;

	private final JobSignals signals;

	/**
	 * Create an outbox.
	 * @param reader what turns requests into jobs
	 * @param transaction the way into the caller's transaction
	 * @param store where jobs are written
	 * @param signals where commits are told
	 */
	public Outbox(RequestReader reader, CallerTransaction transaction, JobStore store, JobSignals signals) {
		this.reader = reader;
		this.transaction = transaction;
		this.store = store;
		this.signals = signals;
	}

	@Override
	public JobReceipt enqueue(Object payload) {
		return enqueue(JobRequest.of(payload));
	}

	@Override
	public JobReceipt enqueue(String queue, Object payload) {
		return enqueue(JobRequest.of(queue, payload));
	}

	@Override
	public JobReceipt enqueue(JobRequest request) {
		return write(List.of(this.reader.read(request))).get(0);
	}

	@Override
	public List<JobReceipt> enqueueAll(Collection<JobRequest> requests) {
		return requests.isEmpty() ? List.of() : write(requests.stream().map(this.reader::read).toList());
	}

	private List<JobReceipt> write(List<NewJob> jobs) {
		return this.transaction.call(() -> {
			Enqueued enqueued = this.store.enqueue(jobs);
			if (!enqueued.arrivals().isEmpty()) {
				TransactionSynchronizationManager
					.registerSynchronization(new CommitSignal(this.signals, enqueued.arrivals()));
			}
			return enqueued.receipts();
		});
	}

}

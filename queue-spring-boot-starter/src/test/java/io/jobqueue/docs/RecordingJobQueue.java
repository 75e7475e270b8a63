package io.jobqueue.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;

/**
 * Stands for the queue in a unit test.
 */
class RecordingJobQueue implements JobQueue {

	private final List<JobRequest> requests = new ArrayList<>();

	@Override
	public JobReceipt enqueue(Object payload) {
		return enqueue((payload instanceof JobRequest request) ? request : JobRequest.of(payload));
	}

	@Override
	public JobReceipt enqueue(String queue, Object payload) {
		return enqueue(JobRequest.of(queue, payload));
	}

	@Override
	public JobReceipt enqueue(JobRequest request) {
		this.requests.add(request);
		return new JobReceipt(UUID.randomUUID(), Outcome.ADDED);
	}

	@Override
	public List<JobReceipt> enqueueAll(Collection<?> requestsOrPayloads) {
		return requestsOrPayloads.stream().map(this::enqueue).toList();
	}

	List<JobRequest> requests() {
		return this.requests;
	}

}

package io.jobqueue.outbox;

import java.util.List;
import java.util.stream.IntStream;

import io.jobqueue.JobEnqueued;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.store.JobStore.EnqueuedJob;
import io.jobqueue.store.NewJob;

/**
 * Tells the application's listeners of jobs that were committed.
 */
final class CommitEvents implements Runnable {

	private final JobEvents events;

	private final List<JobEnqueued> accepted;

	/**
	 * Payloads are not kept until the commit.
	 */
	CommitEvents(JobEvents events, List<NewJob> jobs, List<EnqueuedJob> enqueued) {
		this.events = events;
		this.accepted = IntStream.range(0, jobs.size())
			.filter((index) -> enqueued.get(index).receipt().accepted())
			.mapToObj((index) -> new JobEnqueued(JobInfos.of(jobs.get(index), enqueued.get(index))))
			.toList();
	}

	@Override
	public void run() {
		this.events.publish(this.accepted);
	}

}

package io.jobqueue.benchmark.latency;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.NoOp;
import io.jobqueue.benchmark.timing.WallClock;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Enqueues a job and notes the time right after the commit, before any wake-up.
 *
 * @param queue the queue
 * @param priority the priority of the job
 */
record TimedEnqueue(MeasuredQueue queue, Priority priority) implements LatencyProbe.Moment {

	@Override
	public long micros() {
		CommitTime time = new CommitTime();
		this.queue.transaction().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(time);
			this.queue.jobQueue().enqueue(JobRequest.of(new NoOp(0)).priority(this.priority));
		});
		return time.micros;
	}

	private static final class CommitTime implements TransactionSynchronization {

		private long micros;

		@Override
		public void afterCommit() {
			this.micros = WallClock.micros();
		}

	}

}

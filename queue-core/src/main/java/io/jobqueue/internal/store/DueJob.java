package io.jobqueue.internal.store;

import java.util.UUID;

import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * A new job that is due and waits for no other one. It holds no payload: the transaction
 * that enqueues many jobs keeps one of these for each until its commit.
 *
 * @param id the job's id
 * @param type the name of the type
 * @param wakeUp the wake-up that makes a fetcher claim it
 */
public record DueJob(UUID id, String type, JobsAvailable wakeUp) {

	/**
	 * Return the queue of the job.
	 * @return the name of the queue
	 */
	public String queue() {
		return this.wakeUp.queue();
	}

	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s]".formatted(this.id, queue(), this.type);
	}

}

package io.jobqueue.benchmark.plain;

import java.time.Clock;
import java.util.UUID;

import io.jobqueue.Priority;
import io.jobqueue.benchmark.subject.NoOps;
import io.jobqueue.internal.outbox.JobIds;

/**
 * A row as the queue would write it, for inserts without the queue.
 *
 * @param id the id, of the queue's kind
 * @param queue the queue
 * @param type the type
 * @param payload the payload
 * @param priority the priority
 */
public record PlainJob(UUID id, String queue, String type, String payload, int priority) {

	private static final JobIds IDS = new JobIds(Clock.systemUTC());

	/**
	 * Create the row of a no-op job, with an id that no other has.
	 * @param number what its payload holds
	 * @return the row
	 */
	public static PlainJob of(long number) {
		return new PlainJob(IDS.get(), NoOps.QUEUE, "NoOp", "{\"value\":" + number + "}",
				Priority.USER_VISIBLE.value());
	}

}

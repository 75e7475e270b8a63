package io.jobqueue;

import java.util.UUID;

/**
 * Thrown to a handler whose job was taken away from it, because its run time was over or
 * its worker was taken for dead. The job may already be running elsewhere: whatever the
 * handler returns is void, and its transaction, if the queue began one, is rolled back.
 * The handler should end.
 * <p>
 * Thrown to whoever ends a {@link PulledJob} that is not theirs any more, for the same
 * reasons or because it has been ended before.
 */
@SuppressWarnings("serial")
public class ClaimLostException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param queue the queue of the job
	 * @param type the name of its type
	 * @param id its id
	 */
	public ClaimLostException(String queue, String type, UUID id) {
		super("Job %s of type '%s' in queue '%s' is not this worker's any more: it was ended before, its run time was over, or the worker was silent for its timeout"
			.formatted(id, type, queue));
	}

}

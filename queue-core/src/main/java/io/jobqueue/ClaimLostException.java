package io.jobqueue;

import java.util.UUID;

/**
 * Thrown to a handler whose job was taken away from it, because its run time was over or
 * its worker was taken for dead. The job may already be running elsewhere: whatever the
 * handler returns is void, and its transaction, if the queue began one, is rolled back.
 * The handler should end.
 * <p>
 * Also thrown when a {@link PulledJob} is ended whose claim is lost, for the same reasons
 * or because it has been ended before.
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
		super("The claim on job %s of type '%s' in queue '%s' is lost: the job has ended, its maximum run time is over, or the worker sent no heartbeat within its timeout"
			.formatted(id, type, queue));
	}

}

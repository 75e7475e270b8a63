package io.jobqueue;

import java.util.UUID;

/**
 * Thrown to a handler that has lost the claim on its job, because it exceeded its run
 * time or its worker was declared dead. The job may already run elsewhere. The handler's
 * result is ignored, and its transaction, if the queue began one, is rolled back: the
 * handler should end.
 * <p>
 * Also thrown by a {@link PulledJob} that has lost its claim for these reasons or has
 * ended before.
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

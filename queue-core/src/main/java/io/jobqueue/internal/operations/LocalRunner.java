package io.jobqueue.internal.operations;

import java.util.UUID;

/**
 * Runs jobs on the calling thread.
 */
@FunctionalInterface
public interface LocalRunner {

	/**
	 * Claim a job and run it.
	 * @param job the id of the job
	 * @param queue its queue
	 * @param type the name of its type
	 * @param keyed whether it has an ordering or a limit key
	 * @param begins called after the job is claimed, before its handler
	 * @return {@code false} if the job could not be claimed
	 * @throws Throwable what the handler throws
	 */
	boolean run(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable;

}

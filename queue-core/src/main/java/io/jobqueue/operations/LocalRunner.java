package io.jobqueue.operations;

import java.util.UUID;

/**
 * Runs jobs on the thread that asks for it.
 */
@FunctionalInterface
public interface LocalRunner {

	/**
	 * Claim a job and run it.
	 * @param job the id of the job
	 * @param queue its queue
	 * @param type the name of its type
	 * @param keyed whether it has an ordering or a limit key
	 * @param begins called once it is claimed, before its handler is
	 * @return whether it could be claimed
	 * @throws Throwable what its handler throws
	 */
	boolean run(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable;

}

package io.jobqueue.internal.dependency;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * Follows the ends of jobs, besides the jobs that wait for them.
 */
public interface JobFollower {

	/**
	 * Do what follows the ends of jobs. A call for a job that is live or has been
	 * followed already changes nothing.
	 * @param jobs the ids of jobs that may have ended, and of other things
	 * @return the result
	 */
	Followed follow(Collection<UUID> jobs);

	/**
	 * Do what follows the ends of jobs for which no call was made: the JVM that was to
	 * make it stopped before.
	 */
	void sweep();

	/**
	 * The result of following jobs.
	 *
	 * @param again the ids of jobs to repeat the call for, because another transaction
	 * has locked or changed what is to be changed
	 * @param settled the ids of jobs for which no other job waits
	 */
	record Followed(Set<UUID> again, Set<UUID> settled) {
	}

}

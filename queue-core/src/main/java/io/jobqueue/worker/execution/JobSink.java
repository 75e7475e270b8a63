package io.jobqueue.worker.execution;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.Tier;

/**
 * Takes the jobs that the fetcher of a worker claims, and says how many it can take.
 */
public interface JobSink {

	/**
	 * Return whether other nodes rely on what is found here: they get a signal for what
	 * is left, the log names types without a handler, and backlogs that other workers
	 * have claimed are skipped.
	 * @return whether they do
	 */
	boolean sharesBacklog();

	/**
	 * Note that jobs of a tier are due.
	 * @param tier the queue and the priority
	 */
	default void expect(Tier tier) {
	}

	/**
	 * Note that jobs of any queue may be due.
	 */
	default void expectMore() {
	}

	/**
	 * Return how many jobs to claim now: a map for each group of queues that share their
	 * capacity, which is used up by the first claim that returns jobs. A signal that
	 * arrives from now on may be too late for these claims.
	 * @param permitted which queues may be claimed from
	 * @return the capacities by queue, for each group
	 */
	List<Map<String, Capacity>> reserve(Predicate<String> permitted);

	/**
	 * Return a request limited to the bytes that the sink can take: the same by default.
	 * @param request the request
	 * @return the request
	 */
	default ClaimRequest withinBytes(ClaimRequest request) {
		return request;
	}

	/**
	 * Return whether the last claim of a queue has withheld jobs.
	 * @param queue the name of the queue
	 * @return whether it has
	 */
	default boolean isWithholding(String queue) {
		return false;
	}

	/**
	 * Take the result of a claim: all jobs, or none if this throws.
	 * @param queue the name of the queue
	 * @param claimed the result of the claim
	 * @param since when the claim was about to be sent, as a {@link System#nanoTime}
	 * @return {@code false} if none is taken and all has to be given back
	 */
	boolean take(String queue, ClaimResult claimed, long since);

	/**
	 * Note that the jobs of a queue could not be claimed, although the database answers.
	 * @param failure the failure
	 */
	default void failed(Throwable failure) {
	}

	/**
	 * Return how long to wait at most before the next step.
	 * @param pause the time until the next poll or known run-at
	 * @return the time
	 */
	default Duration limit(Duration pause) {
		return pause;
	}

}

package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.Tier;

/**
 * Receives the jobs that a {@code JobFetcher} claims, and reports how many it can accept.
 */
public interface JobSink {

	/**
	 * Return whether the fetcher shares the backlog with other workers. If so, it signals
	 * the jobs that it leaves to other nodes and logs types without a handler.
	 * @return {@code true} if it shares the backlog
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
	 * Return the capacity for the next claims: one map for each group of queues that
	 * share their capacity, which the first claim that returns jobs uses up. These claims
	 * may miss the jobs of signals that arrive after this call.
	 * @param permitted tests the name of a queue that may be claimed from
	 * @return the capacities by queue, for each group
	 */
	List<Map<String, Capacity>> reserve(Predicate<String> permitted);

	/**
	 * Return a request that is limited to the bytes that the sink can accept; by default,
	 * the same request.
	 * @param request the request
	 * @return the limited request
	 */
	default ClaimRequest withinBytes(ClaimRequest request) {
		return request;
	}

	/**
	 * Return whether claims of a queue have withheld due jobs that still wait for a free
	 * handler.
	 * @param queue the name of the queue
	 * @return {@code true} if jobs are withheld
	 */
	default boolean isWithholding(String queue) {
		return false;
	}

	/**
	 * Accept the jobs of a claim: all of them, or none if this throws.
	 * @param queue the name of the queue
	 * @param claimed the result of the claim
	 * @param since the time just before the claim was sent, as a {@link System#nanoTime}
	 * @return {@code false} if no job is accepted and all must be released
	 */
	boolean take(String queue, ClaimResult claimed, long since);

	/**
	 * Note that the claims for which {@link #reserve} has returned capacities have ended.
	 */
	default void claimsEnded() {
	}

	/**
	 * Start an idle handler that claims a job by its id, and then takes its jobs like any
	 * other. Without an idle handler, while a claim is under way, or while other jobs of
	 * the queue are known to be due, the job waits for its turn.
	 * @param queue the name of the queue
	 * @param claim claims the job, and passes it to {@link #take}
	 * @return {@code false} if no handler is started
	 */
	default boolean offer(String queue, Runnable claim) {
		return false;
	}

	/**
	 * Note that the jobs of a queue could not be claimed, although the database answers.
	 * @param failure the failure
	 */
	default void failed(Throwable failure) {
	}

	/**
	 * Return the longest sleep before the next step.
	 * @param pause the time until the next poll or known run-at
	 * @return the longest sleep, at most {@code pause}
	 */
	default Duration limit(Duration pause) {
		return pause;
	}

	/**
	 * The number of jobs that a queue executor can accept.
	 *
	 * @param free the number of free handlers
	 * @param prefetch the number of jobs to claim in advance
	 * @param maxPriority the highest priority value to claim, {@link #ANY_PRIORITY} for
	 * all
	 * @param isTopUp whether these jobs exceed the usual prefetch of the executor
	 */
	record Capacity(int free, int prefetch, int maxPriority, boolean isTopUp) {

		/**
		 * The highest priority value.
		 */
		public static final int ANY_PRIORITY = 99;

		static final Capacity NONE = of(0, 0);

		/**
		 * Return a capacity for jobs of any priority.
		 * @param free the number of free handlers
		 * @param prefetch the number of jobs to claim in advance
		 * @return the capacity
		 */
		public static Capacity of(int free, int prefetch) {
			return new Capacity(free, prefetch, ANY_PRIORITY, false);
		}

		static Capacity topUp(int jobs, int maxPriority) {
			return new Capacity(0, jobs, maxPriority, true);
		}

		/**
		 * Return a copy that is limited to the given number of jobs.
		 */
		Capacity atMost(int jobs) {
			int fewer = Math.min(this.free, jobs);
			return new Capacity(fewer, Math.min(this.prefetch, jobs - fewer), this.maxPriority, this.isTopUp);
		}

		int total() {
			return this.free + this.prefetch;
		}

	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.Collection;

import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * An advisory lock of a queue, for work that only one transaction at a time may do. It
 * ends with the transaction, so that it works behind a pooler in transaction mode. Two
 * queues whose names have the same hash share a lock.
 */
enum QueueLock {

	/**
	 * Protects the evaluation of jobs with an ordering or a limit key, and the release of
	 * keys.
	 */
	ADMISSION,

	/**
	 * Protects claims within limits over all workers.
	 */
	LIMITS,

	/**
	 * Protects the decision which retries are held back.
	 */
	PROBES;

	/**
	 * The time until the next attempt if the lock was not available. The process of its
	 * holder may be suspended.
	 */
	static final Duration TRY_AGAIN_IN = Duration.ofMillis(100);

	/**
	 * Takes the locks in the order of their hashes, so that two transactions do not
	 * deadlock.
	 */
	private static final String LOCK = """
			SELECT pg_advisory_xact_lock(q.lock)
			FROM (
			    SELECT DISTINCT hashtextextended(?::text || ' of ' || n.queue, to_regclass(?)::oid::bigint) AS lock
			    FROM unnest(?::text[]) AS n (queue)
			    ORDER BY lock) q
			""";

	/**
	 * Return the step that takes the lock of queues. It must be a statement of its own,
	 * so that the snapshot of the next one includes the commit of the last holder.
	 */
	Step of(Collection<String> queues, QueueTransaction transactions) {
		String table = transactions.schema().in("jobqueue_job");
		return new Step(LOCK, (parameters) -> parameters.value(name()).value(table).texts(queues));
	}

}

package io.jobqueue.store.postgresql.jobs;

import java.time.Duration;
import java.util.Collection;

import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * What only one transaction at a time does in a queue. The lock goes with the
 * transaction, also behind a pooler. Two queues whose names have the same hash wait for
 * each other.
 */
enum QueueLock {

	/**
	 * To evaluate jobs with an ordering or a limit key, and to release keys.
	 */
	ADMISSION,

	/**
	 * To claim jobs that are limited over all workers.
	 */
	LIMITS,

	/**
	 * To decide which retries run.
	 */
	PROBES;

	/**
	 * The time after which to try again without a turn. The worker that has it may have
	 * been stopped by its system.
	 */
	static final Duration TRY_AGAIN_IN = Duration.ofMillis(100);

	/**
	 * Always in the same order, so that no two transactions wait for each other.
	 */
	private static final String LOCK = """
			SELECT pg_advisory_xact_lock(q.lock)
			FROM (
			    SELECT DISTINCT hashtextextended(?::text || ' of ' || n.queue, to_regclass(?)::oid::bigint) AS lock
			    FROM unnest(?::text[]) AS n (queue)
			    ORDER BY lock) q
			""";

	/**
	 * Return what takes the lock of some queues. It has to be a step of its own: the next
	 * one sees what the last holder has left.
	 */
	Step of(Collection<String> queues, Schema schema) {
		return new Step(LOCK,
				(parameters) -> parameters.value(name())
					.value(schema.in("jobqueue_job"))
					.array("text", queues, (queue) -> queue),
				Answer.ofEachRow((row) -> {
				}));
	}

}

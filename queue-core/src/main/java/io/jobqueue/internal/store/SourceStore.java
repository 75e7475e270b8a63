package io.jobqueue.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.JobStore.EnqueueResult;

/**
 * Stores jobs of sources outside the database, such as partitions of a topic, of which
 * only those become rows that do not succeed at once. A source has one owner at a time,
 * whose writes carry the number of its assignment, unless it is shared.
 */
public interface SourceStore {

	/**
	 * Note that the caller owns a source from now on. This waits for writes of former
	 * owners, and refuses later ones.
	 * @param source the name of the source
	 * @return the assignment
	 */
	Assignment assign(String source);

	/**
	 * Return the ordering keys of live jobs of sources.
	 * @param sources the names of the sources
	 * @param queue their queue
	 * @param deadHeadHolds whether the keys of dead jobs count as well
	 * @return the keys by source, without sources that have none
	 */
	Map<String, Set<String>> liveKeys(Collection<String> sources, String queue, boolean deadHeadHolds);

	/**
	 * Insert jobs in the caller's transaction, with the outcome of the attempt that
	 * precedes it. Jobs whose unique key is taken are not inserted.
	 * @param worker the id of the worker that made the attempts
	 * @param jobs the jobs
	 * @return the result for each job
	 * @throws SourceLostException if an assignment is not the last one of its source;
	 * nothing is written then
	 */
	Written enqueue(UUID worker, List<AttemptedJob> jobs);

	/**
	 * The assignment of a source to an owner.
	 *
	 * @param source the name of the source
	 * @param generation the number of the assignment, 0 for a source that all nodes share
	 */
	record Assignment(String source, long generation) {

		/**
		 * Return the assignment of a source whose jobs may come to several nodes at once,
		 * so that no owner excludes another one.
		 * @param source the name of the source
		 * @return the assignment, which is never lost
		 */
		public static Assignment shared(String source) {
			return new Assignment(source, 0);
		}

		/**
		 * Return whether all nodes share the source.
		 * @return {@code true} if they do
		 */
		public boolean isShared() {
			return this.generation == 0;
		}

	}

	/**
	 * A job of a source.
	 *
	 * @param job the job
	 * @param assignment the assignment of its source
	 * @param outcome the outcome of its attempt; a released job has none that counts
	 */
	record AttemptedJob(NewJob job, Assignment assignment, Outcome outcome) {
	}

	/**
	 * The result of an insertion.
	 *
	 * @param enqueued the result for each job
	 * @param ended the result of their attempts
	 */
	record Written(EnqueueResult enqueued, CompletionResult ended) {
	}

	/**
	 * Thrown if a former owner of sources writes.
	 */
	@SuppressWarnings("serial")
	final class SourceLostException extends RuntimeException {

		private final transient Set<Assignment> lost;

		/**
		 * Create an exception.
		 * @param lost the assignments that are not the last ones of their sources
		 */
		public SourceLostException(Set<Assignment> lost) {
			super("Other owners have %s".formatted(lost));
			this.lost = lost;
		}

		/**
		 * Return the assignments that are not the last ones of their sources.
		 * @return the assignments
		 */
		public Set<Assignment> lost() {
			return this.lost;
		}

	}

}

package io.jobqueue.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * Reads for display which jobs and batches have to do with each other. Each call runs in
 * a transaction of its own that changes nothing, and reads a bounded number of rows.
 */
public interface RelationStore {

	/**
	 * The maximum number of live and of archived jobs of a family that are read.
	 */
	int MAX_FAMILY = 1_000;

	/**
	 * Find the relations around a job: those in its family, among the jobs that it waits
	 * for and those that wait for it, directly or through up to three others, and with
	 * its batch. Jobs that have begun no longer have predecessors.
	 * @param job the id of the job
	 * @return the relations, empty if there are none or no such job; some of them may be
	 * equal
	 */
	List<Relation> around(UUID job);

	/**
	 * Find jobs and batches by their ids.
	 * @param ids the ids
	 * @return those that exist, in no particular order
	 */
	List<Related> find(Collection<UUID> ids);

	/**
	 * A relation between two jobs, or a job and a batch.
	 *
	 * @param kind the kind
	 * @param from the id of the one that comes first
	 * @param to the id of the one that follows
	 */
	record Relation(Kind kind, UUID from, UUID to) {

		/**
		 * The kind of a relation.
		 */
		public enum Kind {

			/**
			 * The handler of the first job has enqueued the second one.
			 */
			PARENT,

			/**
			 * The second job waits for the first one.
			 */
			PREDECESSOR,

			/**
			 * The job belongs to the batch.
			 */
			MEMBER,

			/**
			 * The job runs when all jobs of the batch have ended.
			 */
			CALLBACK,

			/**
			 * The job runs when a job of the batch has failed.
			 */
			FAILURE_CALLBACK

		}

	}

	/**
	 * A job or a batch.
	 *
	 * @param id its id
	 * @param queue the queue of the job, {@code null} for a batch
	 * @param type the name of the job's type, or that of the batch
	 * @param state the state of the job, {@code null} for a batch
	 */
	record Related(UUID id, @Nullable String queue, String type, @Nullable JobState state) {
	}

}

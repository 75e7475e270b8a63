package io.jobqueue.internal.store;

import java.util.Set;
import java.util.UUID;

import io.jobqueue.OnPredecessorFailure;

/**
 * The jobs that a job waits for.
 *
 * @param ids their ids, empty for a job that waits for none
 * @param onFailure what the job does if one of them fails
 */
public record Predecessors(Set<UUID> ids, OnPredecessorFailure onFailure) {

	/**
	 * No predecessors.
	 */
	public static final Predecessors NONE = new Predecessors(Set.of(), OnPredecessorFailure.WAIT);

}

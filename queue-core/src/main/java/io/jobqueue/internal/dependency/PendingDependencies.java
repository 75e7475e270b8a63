package io.jobqueue.internal.dependency;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Predecessors to resolve, and jobs to release.
 *
 * @param predecessors the ids of the predecessors, jobs or batches
 * @param jobs the ids of the jobs
 */
record PendingDependencies(Set<UUID> predecessors, Set<UUID> jobs) {

	PendingDependencies() {
		this(new HashSet<>(), new HashSet<>());
	}

	boolean isEmpty() {
		return this.predecessors.isEmpty() && this.jobs.isEmpty();
	}

	void addAll(PendingDependencies other) {
		this.predecessors.addAll(other.predecessors);
		this.jobs.addAll(other.jobs);
	}

	/**
	 * Remove everything.
	 * @return what was removed
	 */
	PendingDependencies take() {
		PendingDependencies taken = new PendingDependencies(new HashSet<>(this.predecessors), new HashSet<>(this.jobs));
		this.predecessors.clear();
		this.jobs.clear();
		return taken;
	}

}

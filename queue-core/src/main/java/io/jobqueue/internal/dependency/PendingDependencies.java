package io.jobqueue.internal.dependency;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Predecessors to resolve, and jobs to release, in the order in which they were added:
 * those that end together, such as steps of one workflow, are resolved together.
 *
 * @param predecessors the ids of the predecessors, jobs or batches
 * @param jobs the ids of the jobs
 */
record PendingDependencies(Set<UUID> predecessors, Set<UUID> jobs) {

	PendingDependencies() {
		this(new LinkedHashSet<>(), new LinkedHashSet<>());
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
		PendingDependencies taken = new PendingDependencies();
		taken.addAll(this);
		this.predecessors.clear();
		this.jobs.clear();
		return taken;
	}

}

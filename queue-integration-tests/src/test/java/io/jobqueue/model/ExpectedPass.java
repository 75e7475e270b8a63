package io.jobqueue.model;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;

/**
 * What the reaper ought to do.
 *
 * @param ready how many jobs are ready again
 * @param dead how many died
 * @param forgotten the workers that are removed
 */
record ExpectedPass(long ready, long dead, Set<String> forgotten) {

	static ExpectedPass of(ReaperPass pass) {
		return new ExpectedPass(count(pass.taken(), false), count(pass.taken(), true),
				pass.removedWorkers().stream().collect(Collectors.toSet()));
	}

	private static long count(Collection<ReapedJobs> taken, boolean dead) {
		return taken.stream().filter((jobs) -> jobs.dead() == dead).mapToLong(ReapedJobs::count).sum();
	}

}

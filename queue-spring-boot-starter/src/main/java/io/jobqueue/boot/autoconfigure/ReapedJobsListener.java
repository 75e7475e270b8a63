package io.jobqueue.boot.autoconfigure;

import io.jobqueue.store.MaintenanceStore.ReapedJobs;

/**
 * Hears of the jobs that this node's reaper took away. Not a {@code Consumer}, since
 * Spring Cloud Function would take such a bean for one of the application's functions.
 */
@FunctionalInterface
interface ReapedJobsListener {

	void onReaped(ReapedJobs jobs);

}

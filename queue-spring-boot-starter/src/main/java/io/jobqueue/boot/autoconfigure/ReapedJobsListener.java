package io.jobqueue.boot.autoconfigure;

import io.jobqueue.store.MaintenanceStore.ReapedJobs;

/**
 * Is called with the jobs that this node's reaper has reaped. Not a {@code Consumer},
 * since Spring Cloud Function would take such a bean for one of the application's
 * functions.
 */
@FunctionalInterface
interface ReapedJobsListener {

	void onReaped(ReapedJobs jobs);

}

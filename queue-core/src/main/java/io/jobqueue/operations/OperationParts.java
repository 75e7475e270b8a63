package io.jobqueue.operations;

import java.util.UUID;
import java.util.function.Supplier;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.event.JobEvents;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.PauseStore;
import io.jobqueue.store.SearchStore;

/**
 * What operations work with.
 *
 * @param jobs where jobs are changed
 * @param search where they are looked for
 * @param pauses what is paused
 * @param gauges where live jobs are counted
 * @param signals where requests, and the jobs that may run, are told
 * @param events where cancellations are told
 * @param here runs jobs on the thread that asks
 * @param ids makes the ids of jobs
 * @param retention how long cancelled jobs are kept
 * @param user who asks
 * @param transactionManager the caller's transactions
 */
public record OperationParts(OperationStore jobs, SearchStore search, PauseStore pauses, MonitoringStore gauges,
		JobSignals signals, JobEvents events, LocalRunner here, Supplier<UUID> ids, CancelledRetention retention,
		CurrentUser user, PlatformTransactionManager transactionManager) {
}

package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SubscriptionStore;

/**
 * The stores and services that operations use.
 *
 * @param jobs changes jobs
 * @param search finds jobs
 * @param obstacles reads why jobs do not run
 * @param local what this node knows of queues
 * @param batches finds batches
 * @param pauses stores which queues and types are paused
 * @param subscriptions stores the subscriptions to topics
 * @param operatorLog stores what operators did
 * @param monitoring counts live jobs
 * @param signals delivers wake-ups, cancel requests and pauses to workers
 * @param events publishes cancellations to the application
 * @param runner runs jobs on the calling thread
 * @param ids creates the ids of jobs
 * @param retention returns how long the archive keeps the cancelled jobs of a queue,
 * {@code null} for no limit, zero to delete them
 * @param user returns the user to log with an operation
 * @param transactionManager the manager of the callers' transactions
 */
public record OperationServices(OperationStore jobs, SearchStore search, ObstacleStore obstacles, LocalQueues local,
		BatchStore batches, PauseStore pauses, SubscriptionStore subscriptions, OperatorLogStore operatorLog,
		MonitoringStore monitoring, JobSignals signals, JobEvents events, LocalRunner runner, Supplier<UUID> ids,
		Function<String, @Nullable Duration> retention, CurrentUser user,
		PlatformTransactionManager transactionManager) {
}

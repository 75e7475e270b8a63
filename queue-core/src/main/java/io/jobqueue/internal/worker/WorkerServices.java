package io.jobqueue.internal.worker;

import java.util.function.BooleanSupplier;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.worker.completion.WorkListener;
import io.jobqueue.internal.worker.execution.StepResults;

/**
 * The stores and services that a worker uses.
 *
 * @param jobs the store of jobs
 * @param batches the store of batches
 * @param workers the store of workers
 * @param statistics the store of statistics
 * @param handlers the handlers
 * @param transactionManager the transaction manager of transactional handlers
 * @param transactions the transactions on the data source of the queue
 * @param signals publishes and delivers wake-ups
 * @param events publishes application events for outcomes
 * @param context restores the context that was captured at enqueueing
 * @param ticker enqueues the jobs of schedules while a worker runs
 * @param subscriptions the subscriptions to topics of the handlers
 * @param results encodes and reads the results of steps of workflows
 * @param wakeUpWorks returns whether this node receives wake-ups of other nodes
 * @param times measures claims, waits and runs
 */
public record WorkerServices(JobStore jobs, BatchStore batches, WorkerStore workers, StatisticsStore statistics,
		JobHandlers handlers, PlatformTransactionManager transactionManager, BoundTransactions transactions,
		JobSignals signals, JobEvents events, CallerContext context, Ticker ticker, Subscriptions subscriptions,
		StepResults results, BooleanSupplier wakeUpWorks, WorkListener times) {
}

package io.jobqueue.worker;

import java.util.List;
import java.util.function.BooleanSupplier;

import org.springframework.transaction.PlatformTransactionManager;

import io.jobqueue.context.CallerContext;
import io.jobqueue.event.JobEvents;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.worker.completion.WorkListener;

/**
 * What a worker works with.
 *
 * @param jobs the jobs
 * @param workers the workers
 * @param handlers the handlers
 * @param transactionManager the transactions of transactional handlers
 * @param signals the wake-ups of commits
 * @param events where outcomes are published
 * @param context what jobs took along
 * @param wakeUpWorks whether this node receives wake-ups of other nodes
 * @param listeners what measures the work
 */
public record WorkerParts(JobStore jobs, WorkerStore workers, JobHandlers handlers,
		PlatformTransactionManager transactionManager, JobSignals signals, JobEvents events, CallerContext context,
		BooleanSupplier wakeUpWorks, List<WorkListener> listeners) {
}

package io.jobqueue.internal.worker.execution;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.CannotCreateTransactionException;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch.Item;
import io.jobqueue.JobResult;
import io.jobqueue.internal.handler.BatchCall;
import io.jobqueue.internal.handler.BatchLimits;
import io.jobqueue.internal.handler.BatchResultException;
import io.jobqueue.internal.handler.HandlerInvoker;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.worker.execution.JobRunner.Result;

/**
 * Calls a handler with several jobs, and has the policy decide the outcome of each.
 */
public final class BatchRunner {

	private final JobRunner runner;

	private final JobHandlers handlers;

	private final HandlerTransactions transactions;

	private final OutcomePolicy outcomes;

	BatchRunner(JobRunner runner, JobHandlers handlers, HandlerTransactions transactions, OutcomePolicy outcomes) {
		this.runner = runner;
		this.handlers = handlers;
		this.transactions = transactions;
		this.outcomes = outcomes;
	}

	/**
	 * Return the limits of a call, {@code null} if the handler of the job takes one job.
	 */
	@Nullable BatchLimits limits(ClaimedJob job) {
		return this.handlers.batch(job.queue(), job.type());
	}

	/**
	 * Return the number of jobs that each call of the queue's handlers can take.
	 * @param queue the queue
	 * @return the number, 1 if some of them take a single job
	 */
	public int jobsPerCall(String queue) {
		return this.handlers.jobsPerCall(queue);
	}

	/**
	 * Run several jobs of a handler in one call. A job whose payload cannot be read fails
	 * alone.
	 */
	CallResult run(List<? extends JobExecution> jobs) {
		ClaimedJob any = jobs.get(0).job();
		HandlerInvoker handler = this.handlers.find(any.queue(), any.type());
		if (handler == null) {
			return CallResult.all(jobs, (job) -> Result.returned(() -> OutcomePolicy.released(job.job())));
		}
		Map<JobExecution, Result> unreadable = new LinkedHashMap<>();
		Map<JobExecution, Item<Object>> items = new LinkedHashMap<>();
		for (JobExecution job : jobs) {
			try {
				items.put(job, handler.read(job.job().payload(), job));
			}
			catch (RuntimeException ex) {
				unreadable.put(job, failed(job, ex));
			}
		}
		return items.isEmpty() ? new CallResult(unreadable, null) : call(handler, items).and(unreadable);
	}

	private CallResult call(HandlerInvoker handler, Map<JobExecution, Item<Object>> items) {
		Collection<JobExecution> jobs = items.keySet();
		try {
			BatchCall call = handler.prepare(List.copyOf(items.values()));
			return (handler.delivery() == Delivery.TRANSACTIONAL) ? inTransaction(jobs, call) : outside(jobs, call);
		}
		catch (BatchResultException ex) {
			return CallResult.all(jobs, (job) -> failed(job, ex));
		}
		catch (CannotCreateTransactionException ex) {
			return CallResult.all(jobs, (job) -> Result.returned(() -> this.outcomes.postponed(job.job(), ex)));
		}
		catch (InvocationTargetException ex) {
			return new CallResult(Map.of(), ex.getTargetException());
		}
		catch (Throwable ex) {
			return new CallResult(Map.of(), ex);
		}
	}

	private Result failed(JobExecution job, Throwable ex) {
		return new Result(ex, () -> this.runner.failed(job, ex));
	}

	/**
	 * Results that the handler has set before it throws are kept, as
	 * {@link BatchCall#kept} says.
	 */
	private CallResult outside(Collection<JobExecution> jobs, BatchCall call) {
		try {
			Map<JobExecution, JobResult> results = run(jobs, call);
			return CallResult.all(jobs, (job) -> result(job, Objects.requireNonNull(results.get(job))));
		}
		catch (InvocationTargetException ex) {
			Map<JobExecution, Result> kept = new LinkedHashMap<>();
			for (JobExecution job : jobs) {
				JobResult decided = call.kept(job);
				if (decided != null) {
					kept.put(job, result(job, this.outcomes.storable(job.job(), decided)));
				}
			}
			return new CallResult(kept, ex.getTargetException());
		}
	}

	private Result result(JobExecution job, JobResult result) {
		return Result.returned(() -> this.outcomes.of(job, result));
	}

	private Map<JobExecution, JobResult> run(Collection<JobExecution> jobs, BatchCall call)
			throws InvocationTargetException {
		List<JobResult> results = call.run((correlation) -> jobs.forEach((job) -> job.correlate(correlation)));
		Map<JobExecution, JobResult> byJob = new LinkedHashMap<>();
		for (JobExecution job : jobs) {
			byJob.put(job, this.outcomes.storable(job.job(), results.get(byJob.size())));
		}
		return byJob;
	}

	/**
	 * What is not a success rolls back what the handler has written for all.
	 */
	private CallResult inTransaction(Collection<JobExecution> jobs, BatchCall call) throws Throwable {
		BatchTransaction transaction = this.transactions.begin(jobs);
		Map<JobExecution, JobResult> results = transaction.call(() -> run(jobs, call));
		Map<JobExecution, Result> others = new LinkedHashMap<>();
		results.forEach((job, result) -> {
			if (!(result instanceof JobResult.Success)) {
				others.put(job, result(job, result));
			}
		});
		if (!others.isEmpty()) {
			transaction.rollBack();
			return new CallResult(others, null);
		}
		Collection<JobExecution> lost = transaction.commit((job) -> this.outcomes
			.completed(job.job(), (JobResult.Success) Objects.requireNonNull(results.get(job)))
			.withStart(job.startedAt()));
		return lost.isEmpty()
				? CallResult.all(jobs,
						(job) -> Result.returned(() -> new CompletedInTransaction(job.id(), job.job().claim())))
				: CallResult.all(lost, (job) -> failed(job, job.lost()));
	}

	/**
	 * The result of a call.
	 *
	 * @param decided the results of jobs whose outcomes are decided by that
	 * @param thrown what the call has thrown, so that the other jobs run one by one;
	 * {@code null} if they run together again
	 */
	record CallResult(Map<JobExecution, Result> decided, @Nullable Throwable thrown) {

		private static CallResult all(Collection<? extends JobExecution> jobs, Function<JobExecution, Result> result) {
			Map<JobExecution, Result> decided = new LinkedHashMap<>();
			jobs.forEach((job) -> decided.put(job, result.apply(job)));
			return new CallResult(decided, null);
		}

		private CallResult and(Map<JobExecution, Result> further) {
			Map<JobExecution, Result> all = new LinkedHashMap<>(this.decided);
			all.putAll(further);
			return new CallResult(all, this.thrown);
		}

	}

}

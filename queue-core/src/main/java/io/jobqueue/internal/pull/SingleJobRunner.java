package io.jobqueue.internal.pull;

import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.SingleClaimResult;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.completion.ClaimLedger.UnconfirmedClaim;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.JobRunner;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;
import io.jobqueue.internal.worker.execution.OutcomePolicy;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * Claims a job by its id and runs its handler on the calling thread.
 */
public final class SingleJobRunner {

	private final WorkerServices services;

	private final Function<String, QueueSettings> queues;

	private final WorkerRuntime runtime;

	private final PulledExecutions executions;

	private final CompletionRecorder completions;

	private final HandlerScope scope;

	private final Runnable registration;

	/**
	 * Create a runner that shares its executions with nothing else.
	 * @param services the services of the worker
	 * @param queues the settings of each queue
	 * @param runtime the runtime of the worker
	 * @param completions records the outcomes
	 * @param scope calls the handlers
	 * @param registration registers this worker in the database if it is unknown there
	 */
	public SingleJobRunner(WorkerServices services, Function<String, QueueSettings> queues, WorkerRuntime runtime,
			CompletionRecorder completions, HandlerScope scope, Runnable registration) {
		this(services, queues, runtime, new PulledExecutions(), completions, scope, registration);
	}

	SingleJobRunner(WorkerServices services, Function<String, QueueSettings> queues, WorkerRuntime runtime,
			PulledExecutions executions, CompletionRecorder completions, HandlerScope scope, Runnable registration) {
		this.services = services;
		this.queues = queues;
		this.runtime = runtime;
		this.executions = executions;
		this.completions = completions;
		this.scope = scope;
		this.registration = registration;
	}

	/**
	 * Run a job.
	 * @param job the id of the job
	 * @param queue its queue
	 * @param type the name of its type
	 * @param keyed whether the job has an ordering or a limit key
	 * @param begins called after the claim, before the handler
	 * @return {@code true} if the job could be claimed
	 * @throws Throwable the exception of the handler, or a failure to claim the job or to
	 * record its outcome
	 */
	public boolean run(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable {
		if (this.services.handlers().find(queue, type) == null) {
			throw new JobOperationException(job, Reason.UNHANDLED,
					"This node has no handler for type '%s' in queue '%s': run job %s on a node that has one"
						.formatted(type, queue, job));
		}
		BufferedJob buffered = claim(job, queue, type, keyed ? this.queues.apply(queue).keys() : null);
		if (buffered != null) {
			run(buffered, begins);
		}
		return buffered != null;
	}

	private @Nullable BufferedJob claim(UUID job, String queue, String type, @Nullable AdmissionRules keys) {
		long since = System.nanoTime();
		ClaimResult claimed = claim(job, request(queue, type), keys);
		if (claimed.refused()) {
			this.registration.run();
			claimed = claim(job, request(queue, type), keys);
		}
		return claimed.jobs().isEmpty() ? null : BufferedJob.of(claimed, since).get(0);
	}

	private ClaimRequest request(String queue, String type) {
		return ServedTypes.of(this.services.handlers(), queue, type)
			.request(queue, this.queues.apply(queue), this.runtime.claims().nextNumber(), Capacity.of(1, 0),
					new TreeMap<>());
	}

	private ClaimResult claim(UUID job, ClaimRequest request, @Nullable AdmissionRules keys) {
		try (UnconfirmedClaim unconfirmed = this.runtime.claims().record(request.claim())) {
			ClaimResult claimed = this.runtime.jobLogger().claim(request.queue(), () -> {
				SingleClaimResult result = this.services.jobs().claimOne(this.runtime.id(), job, request, keys);
				this.services.signals().publish(result.admitted());
				return result.claimed();
			});
			unconfirmed.received(claimed.jobs().size());
			unconfirmed.confirm();
			return claimed;
		}
	}

	private void run(BufferedJob buffered, Runnable begins) throws Throwable {
		PulledExecution execution = new PulledExecution(buffered, this.runtime.leases(), this.completions,
				this.executions);
		if (!this.executions.add(execution)) {
			execution.end(() -> OutcomePolicy.released(buffered.job()), null);
			throw new IllegalStateException("The application is stopping: %s is released".formatted(buffered.job()));
		}
		try {
			begins.run();
			finishWithin(execution);
		}
		finally {
			execution.release();
		}
	}

	private void finishWithin(PulledExecution execution) throws Throwable {
		BufferedJob buffered = execution.buffered();
		AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
		this.runtime.mdc()
			.within(buffered.job(),
					() -> this.services.context().within(buffered.job(), () -> thrown.set(finish(execution))));
		Throwable failure = thrown.get();
		if (failure != null) {
			throw failure;
		}
	}

	private @Nullable Throwable finish(PulledExecution execution) {
		this.runtime.jobLogger().begins(execution.job(), execution.buffered().waited());
		JobRunner.Result result = this.scope.call(execution, () -> this.runtime.runner().run(execution));
		Throwable thrown = result.thrown();
		try {
			execution.end(result.outcome(), thrown);
		}
		catch (RuntimeException ex) {
			if (thrown == null) {
				return ex;
			}
			thrown.addSuppressed(ex);
		}
		return thrown;
	}

	/**
	 * Calls handlers, in tests within the transaction of the test.
	 */
	@FunctionalInterface
	public interface HandlerScope {

		/**
		 * Call a handler.
		 * @param execution the attempt
		 * @param handler calls the handler and returns its result; it does not throw
		 * @return the result
		 */
		JobRunner.Result call(JobExecution execution, Supplier<JobRunner.Result> handler);

	}

}

package io.jobqueue.test;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.fetch.ServedTypes;
import io.jobqueue.test.StoredJobs.WaitingJob;

/**
 * Runs jobs on the calling thread, within its transaction if it has one.
 */
final class JobRuns {

	/**
	 * A chain of jobs that enqueue each other is longer only if it has no end.
	 */
	private static final int MAX_ROUNDS = 100;

	private static final String ENDLESS = "Jobs of type '%s' in queue '%s' do not end: after %s rounds, each of which ran what the one before had enqueued or left due, there are more";

	private final WorkerServices services;

	private final WorkerStore workers;

	private final NodeSettings settings;

	private final boolean limits;

	private final TestDataSource dataSource;

	private final StoredJobs stored;

	private final WaitReasons reasons;

	private final Supplier<List<EnqueuedJob>> jobs;

	private final Reaper reaper;

	private final DependencyResolver dependencies;

	private final TestTime time;

	/**
	 * @param services the services of a worker
	 * @param workers registers workers on the connection of the test
	 * @param limits whether the limits of queues apply. A claim in a queue with limits
	 * locks them until the end of the test's transaction
	 * @param reasons says why jobs do not run
	 * @param jobs lists the jobs for messages
	 */
	JobRuns(WorkerServices services, WorkerStore workers, NodeSettings settings, boolean limits,
			TestDataSource dataSource, StoredJobs stored, WaitReasons reasons, Supplier<List<EnqueuedJob>> jobs,
			Reaper reaper, DependencyResolver dependencies, TestTime time) {
		this.services = services;
		this.workers = workers;
		this.settings = settings;
		this.limits = limits;
		this.dataSource = dataSource;
		this.stored = stored;
		this.reasons = reasons;
		this.jobs = jobs;
		this.reaper = reaper;
		this.dependencies = dependencies;
		this.time = time;
	}

	/**
	 * @param queue the queue, {@code null} for any
	 */
	JobOutcome next(@Nullable String queue) throws Exception {
		return this.dataSource.join(() -> {
			try (TestWorker worker = worker(null)) {
				runFirst(worker, queue);
				return worker.lastOutcome();
			}
		});
	}

	/**
	 * A due job that cannot be claimed waits for another one or for a limit.
	 */
	private void runFirst(TestWorker worker, @Nullable String queue) throws Exception {
		for (WaitingJob job : due((name) -> queue == null || name.equals(queue))) {
			if (worker.run(job)) {
				return;
			}
		}
		throw new AssertionError("No job is due%s.%s %s".formatted((queue != null) ? in(queue) : "",
				this.reasons.of(queue), describe()));
	}

	private String in(String queue) {
		Set<String> queues = this.services.handlers().queues();
		return " in queue '%s'%s".formatted(queue,
				queues.contains(queue) ? "" : ", for which this application has no handler, but for " + queues);
	}

	private List<WaitingJob> due(Predicate<String> queues) {
		endAndRelease();
		ServedTypes served = ServedTypes.of(this.services.handlers(), queues).without(this.workers.paused().paused());
		return this.stored.due(served.all());
	}

	/**
	 * Expired jobs are cancelled, and dependencies resolved, on the thread of the test,
	 * which sees what it has not committed.
	 */
	private void endAndRelease() {
		this.reaper.cancelUnclaimed();
		this.dependencies.sweep();
	}

	/**
	 * Run jobs in rounds until no job is due: what the jobs of a round enqueue belongs to
	 * the next one. A failure does not keep the others from running.
	 */
	List<JobOutcome> all(Predicate<UUID> ids) throws Exception {
		return this.dataSource.join(() -> {
			try (TestWorker worker = worker(null)) {
				Failures failures = new Failures();
				runRounds(worker, ids, failures);
				failures.throwFirst();
				return worker.outcomes();
			}
		});
	}

	private void runRounds(TestWorker worker, Predicate<UUID> ids, Failures failures) {
		WaitingJob last = round(worker, ids, failures);
		for (int round = 1; last != null; round++) {
			if (round == MAX_ROUNDS) {
				throw new AssertionError(ENDLESS.formatted(last.type(), last.queue(), MAX_ROUNDS));
			}
			last = round(worker, ids, failures);
		}
	}

	/**
	 * Run jobs outside the transaction of the caller, which has committed it and keeps
	 * its connection until this returns.
	 */
	void outside(Predicate<UUID> ids) throws Exception {
		PlatformTransactionManager manager = this.services.transactionManager();
		TransactionStatus suspended = manager
			.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NOT_SUPPORTED));
		try {
			withoutSynchronization(() -> all(ids));
		}
		finally {
			manager.commit(suspended);
		}
	}

	/**
	 * Spring would bind the first connection that the jobs use until all of them have
	 * run, so that a pool of two had none left for claims.
	 */
	private static void withoutSynchronization(Callable<?> work) throws Exception {
		boolean active = TransactionSynchronizationManager.isSynchronizationActive();
		if (active) {
			TransactionSynchronizationManager.clearSynchronization();
		}
		try {
			Object unused = work.call();
		}
		finally {
			if (active) {
				TransactionSynchronizationManager.initSynchronization();
			}
		}
	}

	/**
	 * @return the last job that ran, {@code null} if none did
	 */
	private @Nullable WaitingJob round(TestWorker worker, Predicate<UUID> ids, Failures failures) {
		WaitingJob last = null;
		for (WaitingJob job : due((queue) -> true)) {
			if (ids.test(job.id()) && failures.collect(() -> worker.run(job))) {
				last = job;
			}
		}
		return last;
	}

	JobOutcome crash(CrashPoint point, @Nullable String queue) throws Exception {
		return this.dataSource.join(() -> crash(point, "crashAt", (worker) -> runFirst(worker, queue)));
	}

	private JobOutcome crash(CrashPoint point, String what, Run run) throws Exception {
		HandlerSavepoint savepoint = savepoint();
		if (savepoint != null) {
			savepoint.require(what);
		}
		TestWorker crashing = worker(point);
		try (crashing) {
			run.run(crashing);
		}
		catch (SimulatedCrash ex) {
			// the run has ended where it was meant to
		}
		this.time.atRealTime(this.reaper::runOnce);
		return this.stored.outcome(crashing.lastJob(), crashing.attempt());
	}

	JobOutcome twice(UUID id) throws Exception {
		return this.dataSource.join(() -> {
			endAndRelease();
			WaitingJob job = waiting(id);
			JobOutcome lost = crash(CrashPoint.AFTER_HANDLER, "runTwice", (worker) -> requireRun(worker, job, "READY"));
			try (TestWorker worker = worker(null)) {
				requireRun(worker, job, lost.state().name());
				return worker.lastOutcome();
			}
		});
	}

	private void requireRun(TestWorker worker, WaitingJob job, String state) throws Exception {
		if (!worker.run(job)) {
			String reason = this.reasons.of(job.id());
			throw new AssertionError(
					"%s cannot be claimed: it is %s. %s".formatted(job, (reason != null) ? reason : state, describe()));
		}
	}

	private WaitingJob waiting(UUID id) {
		WaitingJob job = this.stored.find(id);
		if (job == null) {
			throw new AssertionError(
					"Job %s is not live: run it twice in place of its first run. %s".formatted(id, describe()));
		}
		if (this.services.handlers().types(job.queue(), Delivery.AT_MOST_ONCE).contains(job.type())) {
			throw new AssertionError("%s is delivered at most once: no run follows its first one".formatted(job));
		}
		return job;
	}

	private String describe() {
		return EnqueuedJob.list(this.jobs.get());
	}

	private TestWorker worker(@Nullable CrashPoint crash) {
		return new TestWorker(this.services, this.workers, this.settings.worker(), this::settings, savepoint(), crash);
	}

	private QueueSettings settings(String queue) {
		QueueSettings configured = this.settings.queues().settings(queue);
		return this.limits ? configured : configured.withoutLimits();
	}

	private @Nullable HandlerSavepoint savepoint() {
		return this.dataSource.isInTransaction() ? new HandlerSavepoint(this.services.transactionManager()) : null;
	}

	@FunctionalInterface
	private interface Run {

		void run(TestWorker worker) throws Exception;

	}

	/**
	 * The exceptions of several runs.
	 */
	private static final class Failures {

		private @Nullable Throwable first;

		private boolean collect(Callable<Boolean> run) {
			try {
				return run.call();
			}
			catch (Exception | Error ex) {
				add(ex);
				return true;
			}
		}

		private void add(Throwable failure) {
			if (this.first == null) {
				this.first = failure;
			}
			else if (this.first != failure) {
				this.first.addSuppressed(failure);
			}
		}

		private void throwFirst() throws Exception {
			if (this.first instanceof Error error) {
				throw error;
			}
			if (this.first != null) {
				throw (Exception) this.first;
			}
		}

	}

}

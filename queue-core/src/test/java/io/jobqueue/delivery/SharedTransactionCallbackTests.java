package io.jobqueue.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.context.event.EventListener;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Batch;
import io.jobqueue.JobContext;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobEvent;
import io.jobqueue.JobFailed;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSucceeded;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.completion.RunOutcome;
import io.jobqueue.internal.worker.completion.WorkListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What follows the commit of a transaction that jobs share, and what a job that is rolled
 * back to its savepoint leaves of that.
 */
@Tag("pooler") // savepoints
class SharedTransactionCallbackTests extends SharedTransactionTestBase {

	private static final int FOLLOW_UPS = 3;

	private final Map<Integer, List<String>> calls = new ConcurrentHashMap<>();

	@BeforeEach
	void forget() {
		this.calls.clear();
	}

	/**
	 * The second attempt has a transaction of its own.
	 */
	private static void failFirst(int number, JobContext job) {
		if (number == ODD && job.attempt() == 1) {
			throw new IllegalStateException("poison");
		}
	}

	@Test
	void eventsFollowTheCommit() {
		Events events = new Events();
		List<Long> effects = new CopyOnWriteArrayList<>();
		events.listener = () -> effects.add(count("effect"));
		run((number, job) -> {
			assertThat(isFirstRun(number) ? events.ends() : List.of()).isEmpty();
			failFirst(number, job);
			return JobResult.success();
		}, (settings) -> settings.bean(events));
		assertThat(transactions()).hasSize(2);
		await().until(() -> events.ends().size() == JOBS + 1);
		assertThat(events.ends()).filteredOn(JobSucceeded.class::isInstance).hasSize(JOBS);
		assertThat(events.ends()).filteredOn(JobFailed.class::isInstance)
			.extracting((event) -> event.job().id())
			.containsExactly(id(ODD));
		assertThat(effects).allMatch((visible) -> visible >= JOBS - 1);
	}

	@Test
	void callbacksRunInTheContextOfTheirJob() {
		run((number, job) -> {
			assertThat(MDC.get("job.id")).isEqualTo(job.id().toString());
			TransactionSynchronizationManager.registerSynchronization(new Recorded(number, job));
			failFirst(number, job);
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2);
		List<String> committed = List.of("beforeCommit", "beforeCompletion", "afterCommit", "afterCompletion 0");
		await().untilAsserted(() -> assertThat(this.calls).hasSize(JOBS).allSatisfy((number, called) -> {
			if (number != ODD) {
				assertThat(called).isEqualTo(committed);
			}
		}));
		assertThat(this.calls.get(ODD)).startsWith("beforeCompletion", "afterCompletion 1", "beforeCommit")
			.endsWith("afterCommit", "afterCompletion 0")
			.hasSize(2 + committed.size());
	}

	@Test
	void callbacksOfARolledBackTransactionGetTheRollback() {
		run((number, job) -> {
			if (isFirstRun(number)) {
				TransactionSynchronizationManager.registerSynchronization(new Recorded(number, job));
			}
			if (number == ODD && isFirstRun(number)) {
				this.jdbc.execute("DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$");
			}
			return JobResult.success();
		});
		assertAlone();
		assertThat(this.calls).hasSize(JOBS)
			.containsEntry(1, List.of("beforeCommit", "beforeCompletion", "afterCompletion 1"))
			.containsEntry(ODD, List.of("beforeCompletion", "afterCompletion 1"));
	}

	@Test
	void exceptionBeforeTheCommitFailsItsJobOnly() {
		run((number, job) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					failFirst(number, job);
				}

			});
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2).contains(List.of(ODD));
		assertThat(failures(ODD)).isOne();
	}

	@Test
	void exceptionAfterTheCommitHarmsNoOtherJob() {
		try (CapturedLog log = new CapturedLog()) {
			run((number, job) -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						SharedTransactionCallbackTests.this.calls.put(number, List.of());
						failFirst(number, job);
					}

				});
				return JobResult.success();
			});
			assertThat(transactions()).containsExactly(numbers(1, JOBS));
			assertThat(this.calls).hasSize(JOBS);
			assertThat(log.messages("succeeded, but a callback after its commit failed")).singleElement()
				.asString()
				.contains(id(ODD).toString());
		}
	}

	/**
	 * The job that has failed has no outcome until the time of the callback is over.
	 */
	@Test
	@Tag("slow") // a callback that hangs
	void callbackThatHangsDelaysNoOutcomeOfACompletedJob() {
		Events events = new Events();
		RunTimes times = new RunTimes();
		CountDownLatch release = new CountDownLatch(1);
		try (CapturedLog log = new CapturedLog()) {
			run((number, job) -> {
				if (number == 2) {
					TransactionSynchronizationManager.registerSynchronization(new Hanging(release));
				}
				if (number == ODD && isFirstRun(number)) {
					throw new IllegalStateException("poison");
				}
				return JobResult.success();
			}, (settings) -> settings.maxRunTime(Duration.ofSeconds(3)).bean(events).listener(times));
			await().until(() -> events.ends().size() >= JOBS - 1);
			assertThat(log.messages("A callback after the commit of")).isEmpty();
			awaitSuccess();
			await()
				.untilAsserted(() -> assertThat(events.ends()).hasSize(JOBS).hasOnlyElementsOfType(JobSucceeded.class));
			await().until(() -> times.ended.size() == JOBS);
			assertThat(failures(ODD)).isZero();
			await().until(() -> this.node.jobWorker().status().stuck().containsValue(1));
			assertThat(log.messages("A callback after the commit of")).hasSize(1);
		}
		finally {
			release.countDown();
		}
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
	}

	/**
	 * Its handler has ended, so that it has not exceeded its run time.
	 */
	@Test
	@Tag("slow") // a callback that hangs
	void lastJobThatHasFailedIsReleasedIfACallbackHangs() {
		CountDownLatch release = new CountDownLatch(1);
		try (CapturedLog log = new CapturedLog()) {
			run((number, job) -> {
				if (number == 2) {
					TransactionSynchronizationManager.registerSynchronization(new Hanging(release));
				}
				if (number == JOBS && isFirstRun(number)) {
					throw new IllegalStateException("poison");
				}
				return JobResult.success();
			}, (settings) -> settings.maxRunTime(Duration.ofSeconds(3)));
			awaitSuccess();
			assertThat(failures(JOBS)).isZero();
			assertThat(log.messages("A callback after the commit of")).hasSize(1);
		}
		finally {
			release.countDown();
		}
		await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
	}

	@Test
	void jobsOfAFailedHandlerDoNotExist() {
		Events events = new Events();
		run((number, job) -> {
			this.node.queue().enqueue("receipts", mail(number));
			failFirst(number, job);
			return JobResult.success();
		}, (settings) -> settings.bean(events));
		assertThat(transactions()).hasSize(2);
		assertThat(count("jobqueue_job WHERE queue = 'receipts'")).isEqualTo(JOBS);
		await().until(() -> events.enqueued().size() >= JOBS);
		assertThat(events.enqueued()).hasSize(JOBS);
	}

	/**
	 * Each belongs to the job in whose callback it was enqueued, and exists although that
	 * was rolled back.
	 */
	@Test
	void callbacksEnqueueJobs() {
		run((number, job) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					SharedTransactionCallbackTests.this.node.queue().enqueue("receipts", mail(number));
				}

			});
			failFirst(number, job);
			return JobResult.success();
		});
		assertThat(transactions()).hasSize(2);
		await().until(() -> count("jobqueue_job WHERE queue = 'receipts'") == JOBS + 1);
		assertThat(count("(SELECT DISTINCT parent_id FROM jobqueue_job WHERE queue = 'receipts') AS parents"))
			.isEqualTo(JOBS);
	}

	/**
	 * More jobs than a transaction takes: how many transactions they need depends on when
	 * they are claimed.
	 */
	@Test
	void successorsKeysAndBatchesFollowTheCommit() {
		JobQueue queue = this.node.queue();
		Batch batch = queue.batch("import").then(JobRequest.of("receipts", new Mail("imported"))).start();
		List<UUID> members = batch
			.add(List.of(JobRequest.of("emails", mail(JOBS + 1)).key("a"), JobRequest.of("emails", mail(JOBS + 2))))
			.stream()
			.map(JobReceipt::id)
			.toList();
		batch.seal();
		List<JobReceipt> successors = members.stream()
			.map((member) -> queue.enqueue(JobRequest.of("receipts", new Mail("next")).after(member)))
			.toList();
		run((number, job) -> JobResult.success());
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS + 2);
		assertThat(this.sql.sql("SELECT count(DISTINCT xid) FROM effect").query(Integer.class).single())
			.isLessThan(JOBS);
		await().until(() -> count("jobqueue_jobs WHERE queue = 'receipts' AND state = 'READY'") == FOLLOW_UPS);
		assertThat(successors).hasSize(FOLLOW_UPS - 1);
		assertThat(queue.enqueue(JobRequest.of("emails", new Mail("again")).key("a")).accepted()).isTrue();
	}

	/**
	 * Without their wake-ups, the successors wait for a sweep.
	 */
	@Test
	void successorsFollowTheCommitAlthoughACallbackOfTheManagerFails() {
		UUID member = this.node.queue().enqueue("emails", mail(JOBS + 1)).id();
		UUID successor = this.node.queue().enqueue(JobRequest.of("receipts", new Mail("next")).after(member)).id();
		run((number, job) -> JobResult.success(), (settings) -> settings.reaperInterval(LONG),
				callback(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						throw new IllegalStateException("callback");
					}

				}));
		await().until(() -> count("jobqueue_archive WHERE state = 'SUCCEEDED'") == JOBS + 1);
		await().atMost(Duration.ofSeconds(10)).until(() -> state(successor).equals("READY"));
	}

	/**
	 * Spring itself does not roll back for such an exception.
	 */
	@Test
	void callbackOfTheManagerThatFailsToJoinATransactionRollsBackAll() {
		AtomicBoolean first = new AtomicBoolean(true);
		run((number, job) -> JobResult.success(), (settings) -> settings, callback(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				if (first.getAndSet(false)) {
					throw new IllegalTransactionStateException("callback");
				}
			}

		}));
		assertThat(transactions()).hasSizeGreaterThan(1);
	}

	/**
	 * Adds a callback to each transaction of a handler.
	 */
	private static TransactionExecutionListener callback(TransactionSynchronization callback) {
		return new TransactionExecutionListener() {

			@Override
			public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
				if (Thread.currentThread().getName().contains("emails")) {
					TransactionSynchronizationManager.registerSynchronization(callback);
				}
			}

		};
	}

	/**
	 * The last handler runs for so long that the first ones would exceed the limit.
	 */
	@Test
	void runTimeIsThatOfTheHandler() {
		Duration pause = Duration.ofSeconds(1);
		RunTimes times = new RunTimes();
		run((number, job) -> {
			if (number == JOBS) {
				LockSupport.parkNanos(pause.toNanos());
			}
			return JobResult.success();
		}, (settings) -> settings.listener(times));
		assertThat(transactions()).containsExactly(numbers(1, JOBS));
		await().until(() -> times.ended.size() == JOBS);
		assertThat(times.ended.get(id(JOBS))).isGreaterThanOrEqualTo(pause);
		assertThat(times.ended.values()).filteredOn((took) -> took.compareTo(pause) >= 0).hasSize(1);
	}

	/**
	 * Records what is called, in the MDC of which job.
	 */
	private final class Recorded implements TransactionSynchronization {

		private final int number;

		private final JobContext job;

		private Recorded(int number, JobContext job) {
			this.number = number;
			this.job = job;
		}

		private void record(String call) {
			boolean own = this.job.id().toString().equals(MDC.get("job.id"));
			SharedTransactionCallbackTests.this.calls
				.computeIfAbsent(this.number, (first) -> new CopyOnWriteArrayList<>())
				.add(own ? call : call + " of another job");
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			record("beforeCommit");
		}

		@Override
		public void beforeCompletion() {
			record("beforeCompletion");
		}

		@Override
		public void afterCommit() {
			record("afterCommit");
		}

		@Override
		public void afterCompletion(int status) {
			record("afterCompletion " + status);
		}

	}

	/**
	 * Ignores interrupts.
	 */
	private record Hanging(CountDownLatch release) implements TransactionSynchronization {

		@Override
		public void afterCommit() {
			while (this.release.getCount() > 0) {
				LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
				boolean unused = Thread.interrupted();
			}
		}

	}

	static class RunTimes implements WorkListener {

		final Map<UUID, Duration> ended = new ConcurrentHashMap<>();

		@Override
		public void ended(ClaimedJob job, RunOutcome outcome, Duration took) {
			this.ended.put(job.id(), took);
		}

	}

	static class Events {

		private final List<JobEvent> all = new CopyOnWriteArrayList<>();

		private Runnable listener = () -> {
		};

		@EventListener
		void on(JobEvent event) {
			this.all.add(event);
			if (!(event instanceof JobEnqueued)) {
				this.listener.run();
			}
		}

		List<JobEvent> ends() {
			return this.all.stream().filter((event) -> !(event instanceof JobEnqueued)).toList();
		}

		List<JobEvent> enqueued() {
			return this.all.stream()
				.filter((event) -> event instanceof JobEnqueued && event.job().queue().equals("receipts"))
				.toList();
		}

	}

}

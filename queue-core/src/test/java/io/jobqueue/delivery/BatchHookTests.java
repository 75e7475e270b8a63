package io.jobqueue.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSucceeded;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What interceptors, listeners and the MDC learn of a call with several jobs.
 */
class BatchHookTests extends BatchHandlerTestBase {

	@Test
	void interceptorIsCalledOnceAroundTheCall() {
		Intercepted intercepted = new Intercepted(this, (results) -> {
			results.set(ODD - 1, JobResult.fail("refused"));
			return results;
		});
		run(SIZE, new ForAll(this::called), (settings) -> settings.bean(intercepted));
		awaitState(id(ODD), "DEAD");
		awaitSuccess(SIZE - 1);
		assertThat(intercepted.around).containsExactly(ALL);
		assertThat(this.calls).containsExactly(ALL);
	}

	@Test
	void interceptorIsCalledAroundASingleJobAsWell() {
		Intercepted intercepted = new Intercepted(this, (results) -> results);
		run(SIZE, new ForAll((mails) -> {
			if (called(mails).size() > 1) {
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.bean(intercepted));
		awaitSuccess(SIZE);
		assertThat(intercepted.around).containsExactlyElementsOf(this.calls).hasSize(1 + SIZE);
	}

	@Test
	void wrongNumberOfResultsOfAnInterceptorFailsEachAttempt() {
		Intercepted intercepted = new Intercepted(this,
				(results) -> (results.size() > 1) ? results.subList(1, SIZE) : results);
		run(SIZE, new ForAll(this::called), (settings) -> settings.bean(intercepted));
		awaitSuccess(SIZE);
		assertThat(ALL).extracting(this::failures).containsOnly(1);
		assertThat(column("last_error", id(1), String.class)).contains("aroundBatch of interceptor ", "Intercepted",
				"returned 7 results for 8 jobs");
	}

	/**
	 * As if the transaction of the interceptor did not commit.
	 */
	@Test
	void returnedResultsDoNotCountIfTheInterceptorThrows() {
		run(SIZE,
				new ForEach((mails) -> called(mails).stream().<JobResult>map((number) -> JobResult.success()).toList()),
				(settings) -> settings.bean(throwingForSeveral()));
		awaitSuccess(SIZE);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	private Intercepted throwingForSeveral() {
		return new Intercepted(this, (results) -> {
			Assert.state(results.size() == 1, "The commit failed");
			return results;
		});
	}

	@Test
	void decidedResultsDoNotCountIfTheInterceptorThrows() {
		run(SIZE, new Deciding((mails) -> {
			called(mails);
			mails.items().forEach((item) -> mails.complete(item, JobResult.success()));
		}), (settings) -> settings.bean(throwingForSeveral()));
		awaitSuccess(SIZE);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	@Test
	void decidedResultsDoNotCountIfTheInterceptorThrowsAfterTheHandler() {
		run(SIZE, new Deciding((mails) -> decideAllAndThrow(mails)),
				(settings) -> settings.bean(new Around((jobs, next) -> {
					try {
						return next.call();
					}
					catch (IllegalStateException ex) {
						throw new IllegalArgumentException("rolled back", ex);
					}
				})));
		awaitSuccess(SIZE);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	private void decideAllAndThrow(JobBatch<Mail> mails) {
		if (called(mails).size() > 1) {
			mails.items().forEach((item) -> mails.complete(item, JobResult.success()));
			throw new IllegalStateException("poison");
		}
	}

	/**
	 * Even if another thread, which has no transaction, sets them.
	 */
	@Test
	void decidedResultsDoNotCountIfTheTransactionOfTheInterceptorIsRolledBack() {
		run(SIZE, new Deciding((mails) -> {
			if (called(mails).size() > 1) {
				CompletableFuture
					.runAsync(() -> mails.items().forEach((item) -> mails.complete(item, JobResult.success())))
					.join();
				throw new IllegalStateException("poison");
			}
		}), (settings) -> settings.bean(new Around((jobs, next) -> {
			TransactionTemplate transaction = new TransactionTemplate(
					Objects.requireNonNull(this.started).transactionManager());
			return Objects.requireNonNull(transaction.execute((status) -> callIn(next)));
		})));
		awaitSuccess(SIZE);
		assertThat(this.calls).startsWith(ALL).hasSize(1 + SIZE);
	}

	private static List<JobResult> callIn(Callable<List<JobResult>> next) {
		try {
			return next.call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@Test
	void repeatedCallHasItsOwnList() {
		AtomicInteger tries = new AtomicInteger();
		run(SIZE, new ForAll((mails) -> {
			called(mails);
			mails.clear();
			Assert.state(tries.incrementAndGet() > 1, "a serialization failure");
		}), (settings) -> settings.bean(twice()));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL, ALL);
	}

	private static Around twice() {
		return new Around((jobs, next) -> {
			try {
				return next.call();
			}
			catch (IllegalStateException ex) {
				return next.call();
			}
		});
	}

	@Test
	void resultsOfTheLastOfRepeatedCallsCount() {
		AtomicInteger tries = new AtomicInteger();
		run(SIZE, new Deciding((mails) -> {
			called(mails);
			if (tries.incrementAndGet() == 1) {
				mails.items().forEach((item) -> mails.complete(item, JobResult.fail("refused")));
				throw new IllegalStateException("a serialization failure");
			}
		}), (settings) -> settings.bean(twice()));
		awaitSuccess(SIZE);
		assertThat(this.calls).containsExactly(ALL, ALL);
	}

	@Test
	void callHasNoMdcOfASingleJob() {
		List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
		MDC.put("tenant", "acme");
		try {
			run(SIZE, new ForAll((mails) -> {
				seen.add(MDC.getCopyOfContextMap());
				if (called(mails).size() > 1) {
					throw new IllegalStateException("poison");
				}
			}), (settings) -> settings.mdcKeys("tenant").name("here"));
		}
		finally {
			MDC.remove("tenant");
		}
		awaitSuccess(SIZE);
		assertThat(seen.get(0)).containsExactlyInAnyOrderEntriesOf(
				Map.of("job.queue", "emails", "job.type", "mail", "job.worker", "here"));
		assertThat(seen.get(1)).containsEntry("job.id", id(1).toString()).containsEntry("tenant", "acme");
	}

	@Test
	void eachJobHasItsEvent() {
		Succeeded succeeded = new Succeeded(new CopyOnWriteArrayList<>());
		run(SIZE, new ForAll(this::called), (settings) -> settings.bean(succeeded));
		awaitSuccess(SIZE);
		await().until(() -> succeeded.jobs().size() == SIZE);
		assertThat(ALL).extracting(this::id).containsExactlyInAnyOrderElementsOf(succeeded.jobs());
	}

	@Test
	void jobsThatACallEnqueuesHaveNoParent() {
		run(SIZE, new ForAll((mails) -> {
			QueueNode node = Objects.requireNonNull(this.started);
			node.queue().enqueue(JobRequest.of("receipts", new Mail("of " + called(mails).size())));
			if (mails.size() > 1) {
				throw new IllegalStateException("poison");
			}
		}));
		awaitSuccess(SIZE);
		assertThat(this.sql.sql("SELECT parent_id FROM jobqueue_job WHERE queue = 'receipts' ORDER BY seq")
			.query(UUID.class)
			.list()).startsWith((UUID) null).endsWith(id(SIZE)).hasSize(1 + SIZE);
	}

	/**
	 * Changes the results.
	 */
	static final class Intercepted implements JobInterceptor {

		private final List<List<Integer>> around = new CopyOnWriteArrayList<>();

		private final BatchHookTests test;

		private final Change change;

		Intercepted(BatchHookTests test, Change change) {
			this.test = test;
			this.change = change;
		}

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) {
			throw new AssertionError("The handler takes several jobs");
		}

		@Override
		public List<JobResult> aroundBatch(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception {
			this.around.add(jobs.stream().map((job) -> this.test.number(job.id())).toList());
			return this.change.of(new ArrayList<>(next.call()));
		}

	}

	/**
	 * Calls the handler as it likes.
	 */
	record Around(Caller caller) implements JobInterceptor {

		@Override
		public List<JobResult> aroundBatch(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception {
			return this.caller.call(jobs, next);
		}

	}

	/**
	 * Calls a handler.
	 */
	@FunctionalInterface
	interface Caller {

		List<JobResult> call(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception;

	}

	/**
	 * Changes results.
	 */
	@FunctionalInterface
	interface Change {

		List<JobResult> of(List<JobResult> results);

	}

	/**
	 * Listens.
	 */
	record Succeeded(List<UUID> jobs) {

		@EventListener
		void on(JobSucceeded event) {
			this.jobs.add(event.job().id());
		}

	}

}

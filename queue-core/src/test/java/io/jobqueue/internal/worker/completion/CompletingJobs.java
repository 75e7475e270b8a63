package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.awaitility.Awaitility;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Jobs that a worker has claimed and run, and a batcher that writes their outcomes from
 * the first {@link #submit} on.
 */
final class CompletingJobs implements AutoCloseable {

	private static final int MAX_CLAIM = 1_000;

	private final AtomicInteger tries = new AtomicInteger();

	private final List<ClaimedJob> jobs = new ArrayList<>();

	private final ClaimLedger claims = new ClaimLedger(Duration.ofMinutes(1));

	private final Recorder listener = new Recorder();

	private volatile Runnable beforeLocked = () -> {
	};

	private final CompletionWriter writer;

	private final CompletionBatcher batcher;

	private final Thread thread;

	CompletingJobs(DataSource pool, int count, String payload) {
		this(pool, pool, count, payload);
	}

	/**
	 * Enqueue jobs and claim them.
	 * @param pool the database
	 * @param recording what the batcher uses
	 * @param payload the payload of each job by its number
	 */
	CompletingJobs(DataSource pool, DataSource recording, int count, String payload) {
		PostgresStores stores = PostgresStores.of(pool, null, null);
		UUID worker = UUID.randomUUID();
		stores.workers().checkIn(new WorkerBuilder(worker).timeout(Duration.ofMinutes(10)).build(), false);
		JdbcClient.create(pool).sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), now(), now(), 10, 'emails', 'mail', %s FROM generate_series(1, ?) AS n
				""".formatted(payload)).param(count).update();
		for (int claim = 1; this.jobs.size() < count; claim++) {
			List<ClaimedJob> claimed = stores.jobs().claim(worker, request(claim)).jobs();
			this.claims.begin(claim);
			this.claims.received(claim, claimed.size());
			this.claims.confirm(claim);
			this.jobs.addAll(claimed);
		}
		JobStore counted = StoreCalls.before("recordOutcomes", PostgresStores.of(recording, null, null).jobs(),
				this.tries::incrementAndGet);
		JobStore failing = StoreCalls.before("locked", counted, () -> this.beforeLocked.run());
		this.writer = new CompletionWriter(worker, failing, this.claims,
				new RetryProbes((queue) -> CompletionBatcherTests.SETTINGS), new JobMdc("node"),
				List.of(this.listener));
		this.batcher = new CompletionBatcher(this.writer, new JobMdc("node"));
		this.thread = new Thread(this.batcher);
	}

	private static ClaimRequest request(long claim) {
		return new ClaimRequestBuilder(claim).free(MAX_CLAIM).priorities(10, 10).build();
	}

	/**
	 * Return how often the batcher has tried to write so far.
	 */
	int tries() {
		return this.tries.get();
	}

	/**
	 * Submit the success of each job. The first few thousand reach the batcher together.
	 */
	void submit() {
		submit((job) -> Completed.of(job, null, null));
	}

	/**
	 * Write that each job has succeeded, on this thread and without another turn for what
	 * is held up.
	 * @param awaited whether callers wait for the outcomes
	 */
	CompletionRetries takeOver(LongSupplier nanoTime, boolean awaited) {
		CompletionRetries batches = new CompletionRetries(this.writer, new JobMdc("node"), new CountDownLatch(1),
				nanoTime);
		batches.takeOver(this.jobs.stream()
			.map((job) -> new Completion(job, Completed.of(job, null, null), null, null))
			.map((completion) -> awaited ? completion.with(new CompletableFuture<>()) : completion)
			.collect(Collectors.toCollection(ArrayList::new)));
		return batches;
	}

	/**
	 * Submit the outcomes of some of the jobs once more.
	 */
	void submitAgain(Predicate<ClaimedJob> which, Function<ClaimedJob, Outcome> outcome) {
		this.jobs.stream()
			.filter(which)
			.forEach((job) -> this.batcher.submit(new Completion(job, outcome.apply(job), null, null)));
	}

	void submit(Function<ClaimedJob, Outcome> outcome) {
		Thread handlers = new Thread(() -> this.jobs
			.forEach((job) -> this.batcher.submit(new Completion(job, outcome.apply(job), null, null))));
		handlers.start();
		this.thread.start();
	}

	/**
	 * Do something, or throw, before the batcher asks which jobs are locked.
	 */
	void beforeLocked(Runnable action) {
		this.beforeLocked = action;
	}

	/**
	 * Return how many outcomes were reported as lost.
	 */
	int lost() {
		return this.listener.lost.get();
	}

	/**
	 * Return how many outcomes were reported as written.
	 */
	int written() {
		return this.listener.written.get();
	}

	List<ClaimedJob> jobs() {
		return this.jobs;
	}

	@Override
	public void close() {
		this.batcher.giveUp();
		Awaitility.await().until(() -> !this.thread.isAlive());
	}

	private static final class Recorder implements CompletionWriter.Listener {

		private final AtomicInteger written = new AtomicInteger();

		private final AtomicInteger lost = new AtomicInteger();

		@Override
		public void recorded(List<Completion> completions, CompletionResult result) {
			this.written.addAndGet(result.jobs().size());
			this.lost.addAndGet(completions.size() - result.jobs().size());
		}

		@Override
		public void lost(Completion completion) {
			this.lost.incrementAndGet();
			throw new IllegalStateException("A listener that throws");
		}

	}

}

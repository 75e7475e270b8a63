package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;

/**
 * Collects outcomes and writes them to the database in batches. A single outcome is
 * written at once; outcomes that arrive during a write form the next batch. After a batch
 * of 100 outcomes or more, the next one is collected for up to 2 ms. Handlers wait while
 * the backlog holds 5,000 outcomes.
 */
public final class CompletionBatcher implements CompletionRecorder, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(CompletionBatcher.class);

	/**
	 * The size of a batch from which on the batcher waits for {@link #LINGER} before it
	 * collects the next one.
	 */
	private static final int LARGE_BATCH = 100;

	private static final Duration LINGER = Duration.ofMillis(2);

	private static final int MAX_BACKLOG = 5_000;

	private static final long PATIENCE_MILLIS = 100;

	private static final Duration USUAL_WAIT = Duration.ofMillis(500);

	private final CompletionWriter writer;

	private final CompletionRetries batches;

	private final BlockingQueue<Completion> backlog = new ArrayBlockingQueue<>(MAX_BACKLOG);

	private volatile long lastCaughtUp = System.nanoTime();

	private volatile boolean closing;

	private final CountDownLatch givenUp = new CountDownLatch(1);

	/**
	 * Create a completion batcher.
	 * @param writer writes to the database
	 * @param mdc sets the MDC entries of a job
	 */
	public CompletionBatcher(CompletionWriter writer, JobMdc mdc) {
		this.writer = writer;
		this.batches = new CompletionRetries(writer, mdc, this.givenUp, System::nanoTime);
	}

	/**
	 * Waits while the backlog is full, even if the thread is interrupted; the interrupt
	 * status is kept. After {@link #giveUp}, the outcome is dropped.
	 */
	@Override
	public void submit(Completion completion) {
		boolean taken = offer(completion);
		if (hasGivenUp() && (!taken || this.backlog.remove(completion))) {
			this.writer.drop(completion);
		}
	}

	private boolean offer(Completion completion) {
		boolean taken = false;
		boolean interrupted = false;
		while (!taken && !hasGivenUp()) {
			try {
				taken = this.backlog.offer(completion, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return taken;
	}

	/**
	 * Waits without a time limit, even if the thread is interrupted, and returns
	 * {@code null} after {@link #giveUp}.
	 */
	@Override
	public @Nullable Boolean complete(Completion completion) {
		CompletableFuture<Boolean> recorded = new CompletableFuture<>();
		submit(completion.with(recorded));
		awaitUninterruptibly(recorded);
		Boolean written = recorded(recorded);
		return (written == null && completion.outcome() instanceof CompletedInTransaction) ? Boolean.TRUE : written;
	}

	/**
	 * Wait until the outcome is recorded or rejected, or until {@link #giveUp}.
	 */
	private void awaitUninterruptibly(CompletableFuture<Boolean> recorded) {
		boolean interrupted = false;
		while (!recorded.isDone() && !hasGivenUp()) {
			try {
				recorded.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			catch (ExecutionException | TimeoutException ex) {
				// the condition of the loop decides whether to wait again
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static @Nullable Boolean recorded(CompletableFuture<Boolean> recorded) {
		try {
			return recorded.getNow(null);
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException refusal) ? refusal : ex;
		}
	}

	@Override
	public void run() {
		List<Completion> batch = new ArrayList<>();
		boolean many = false;
		while (!hasGivenUp() && !(this.closing && isDone() && batch.isEmpty())) {
			try {
				this.batches.retryDeferred();
				noteProgress();
				collect(batch, many);
				many = batch.size() >= LARGE_BATCH;
				this.batches.takeOver(batch);
			}
			catch (InterruptedException ex) {
				logger.debug("The batcher was interrupted", ex);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
		batch.forEach(this.writer::drop);
		this.batches.dropDeferred();
	}

	/**
	 * No outcome is lost, as each is in the batch or deferred. Logging may fail for lack
	 * of memory; writing continues nevertheless.
	 */
	private void failed(Throwable failure) {
		try {
			logger.error("Recording job outcomes failed unexpectedly; will retry", failure);
			boolean unused = this.givenUp.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (Throwable ex) {
			failure.addSuppressed(ex);
		}
	}

	private boolean isDone() {
		return this.backlog.isEmpty() && !this.batches.hasDeferred();
	}

	private void noteProgress() {
		if (this.backlog.size() < CompletionRetries.MAX_BATCH && !this.batches.hasDeferred()) {
			this.lastCaughtUp = System.nanoTime();
		}
	}

	/**
	 * Return whether the batcher has been behind for more than 500 ms, so that leases may
	 * end before their outcomes are written.
	 */
	boolean isBehind() {
		return System.nanoTime() - this.lastCaughtUp > USUAL_WAIT.toNanos();
	}

	/**
	 * Fill the batch. It is not empty if an earlier call was interrupted.
	 */
	private void collect(List<Completion> batch, boolean waitsForMore) throws InterruptedException {
		if (this.batches.isFull()) {
			Thread.sleep(PATIENCE_MILLIS);
			return;
		}
		int size = this.batches.maxBatch();
		if (waitsForMore && this.backlog.size() < size) {
			Thread.sleep(LINGER.toMillis());
		}
		Completion first = batch.isEmpty() ? this.backlog.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) : null;
		if (first != null) {
			batch.add(first);
		}
		this.backlog.drainTo(batch, Math.max(0, size - batch.size()));
	}

	/**
	 * End after all submitted outcomes are recorded. This does not wait.
	 */
	public void close() {
		this.closing = true;
	}

	private boolean hasGivenUp() {
		return this.givenUp.getCount() == 0;
	}

	/**
	 * Stop writing. The remaining outcomes are logged and counted as lost.
	 */
	public void giveUp() {
		this.givenUp.countDown();
		List<Completion> left = new ArrayList<>();
		this.backlog.drainTo(left);
		left.forEach(this.writer::drop);
	}

}

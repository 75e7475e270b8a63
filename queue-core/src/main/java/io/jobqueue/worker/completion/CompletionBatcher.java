package io.jobqueue.worker.completion;

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

import io.jobqueue.logging.JobMdc;
import io.jobqueue.store.Outcome.CompletedInTransaction;

/**
 * Writes outcomes to the database. One that comes alone is written at once; those that
 * come while a write is under way go together with the next one, and where there are
 * many, those of the next moment too. Handlers wait when it falls far behind.
 */
public final class CompletionBatcher implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(CompletionBatcher.class);

	/**
	 * After so many at a time it is worth to wait for more.
	 */
	private static final int MANY = 100;

	private static final Duration LINGER = Duration.ofMillis(2);

	private static final int MAX_BACKLOG = 5_000;

	private static final long PATIENCE_MILLIS = 100;

	private static final Duration USUAL_WAIT = Duration.ofMillis(500);

	private final CompletionWriter writer;

	private final BatchWriter batches;

	private final BlockingQueue<Completion> backlog = new ArrayBlockingQueue<>(MAX_BACKLOG);

	private volatile long lastCaughtUp = System.nanoTime();

	private volatile boolean closing;

	private final CountDownLatch givenUp = new CountDownLatch(1);

	/**
	 * Create a completion batcher.
	 * @param writer what writes to the database
	 * @param mdc the entries of the MDC
	 */
	public CompletionBatcher(CompletionWriter writer, JobMdc mdc) {
		this.writer = writer;
		this.batches = new BatchWriter(writer, mdc, this.givenUp);
	}

	/**
	 * Submit an outcome, and wait for capacity even when interrupted: it must not be lost
	 * while it may still be written.
	 * @param completion the completion
	 */
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
	 * Submit an outcome and wait until it is written, however long the database fails.
	 * What was recorded before is written, even if this is given up.
	 * @param completion the completion
	 * @return whether it was, and not the claim lost; {@code null} if it was given up
	 */
	public @Nullable Boolean complete(Completion completion) {
		CompletableFuture<Boolean> recorded = new CompletableFuture<>();
		submit(completion.with(recorded));
		awaitUninterruptibly(recorded);
		Boolean written = recorded(recorded);
		return (written == null && completion.outcome() instanceof CompletedInTransaction) ? Boolean.TRUE : written;
	}

	/**
	 * Wait until it is known whether an outcome was recorded, or until that is given up.
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
				// the condition of the loop says whether it goes on
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
				this.batches.retryHeldUp();
				noteProgress();
				collect(batch, many);
				many = batch.size() >= MANY;
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
		this.batches.dropHeldUp();
	}

	/**
	 * Nothing that was taken is lost: it is in the batch, or held up. Without memory for
	 * a line of the log, outcomes are written without one.
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
		return this.backlog.isEmpty() && !this.batches.isAnyHeldUp();
	}

	private void noteProgress() {
		if (this.backlog.size() < BatchWriter.MAX_BATCH && !this.batches.isAnyHeldUp()) {
			this.lastCaughtUp = System.nanoTime();
		}
	}

	/**
	 * Return whether outcomes have been waiting to be written for longer than usual, so
	 * that leases may end meanwhile.
	 */
	boolean isBehind() {
		return System.nanoTime() - this.lastCaughtUp > USUAL_WAIT.toNanos();
	}

	/**
	 * Add to the batch, which holds something if this was interrupted.
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
	 * Record what was submitted, and end.
	 */
	public void close() {
		this.closing = true;
	}

	private boolean hasGivenUp() {
		return this.givenUp.getCount() == 0;
	}

	/**
	 * Write nothing more. What is left is logged and counted as lost.
	 */
	public void giveUp() {
		this.givenUp.countDown();
		List<Completion> left = new ArrayList<>();
		this.backlog.drainTo(left);
		left.forEach(this.writer::drop);
	}

}

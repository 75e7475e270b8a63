package io.jobqueue.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.context.JobMdc;
import io.jobqueue.store.Outcome.Recorded;

/**
 * Writes outcomes to the database. One that comes alone is written at once; those that
 * come while a write is under way go together with the next one, and where there are
 * many, those of the next moment too. Handlers wait when it falls far behind.
 */
final class Settler implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Settler.class);

	private static final int MAX_BATCH = 1_000;

	/**
	 * After so many at a time it is worth to wait for more.
	 */
	private static final int MANY = 100;

	private static final Duration LINGER = Duration.ofMillis(2);

	private static final int MAX_BACKLOG = 5_000;

	private static final long PATIENCE_MILLIS = 100;

	private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

	private final OutcomeWriter writer;

	private final JobMdc mdc;

	private final BlockingQueue<Settled> backlog = new ArrayBlockingQueue<>(MAX_BACKLOG);

	private final Queue<Settled> heldUp = new ArrayDeque<>();

	private final Outage outage = new Outage(logger, "Writing the outcome of jobs");

	private long lastRetry = System.nanoTime();

	private volatile boolean closing;

	private final CountDownLatch givenUp = new CountDownLatch(1);

	Settler(OutcomeWriter writer, JobMdc mdc) {
		this.writer = writer;
		this.mdc = mdc;
	}

	/**
	 * Hand over an outcome, waiting for room even when interrupted: it must not be lost
	 * while there is hope to write it.
	 */
	void submit(Settled settled) {
		boolean taken = offer(settled);
		if (hasGivenUp() && (!taken || this.backlog.remove(settled))) {
			this.writer.drop(settled);
		}
	}

	private boolean offer(Settled settled) {
		boolean taken = false;
		boolean interrupted = false;
		while (!taken && !hasGivenUp()) {
			try {
				taken = this.backlog.offer(settled, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
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
	 * Hand over an outcome and wait until it is written, however long the database fails.
	 * What was recorded before is written, even if this is given up.
	 * @return whether it was, and not the claim lost; {@code null} if it was given up
	 */
	@Nullable Boolean settle(Settled settled) {
		Receipt receipt = new Receipt();
		submit(settled.with(receipt));
		Boolean written = receipt.await(this::hasGivenUp);
		return (written == null && settled.outcome() instanceof Recorded) ? Boolean.TRUE : written;
	}

	@Override
	public void run() {
		List<Settled> batch = new ArrayList<>();
		boolean many = false;
		while (!hasGivenUp() && !(this.closing && isDone() && batch.isEmpty())) {
			try {
				retryHeldUp();
				collect(batch, many);
				many = batch.size() >= MANY;
				if (!batch.isEmpty()) {
					write(batch);
					batch.clear();
				}
			}
			catch (InterruptedException ex) {
				logger.debug("The settler was interrupted", ex);
			}
		}
		drop(batch);
		drop(this.heldUp);
	}

	private boolean isDone() {
		return this.backlog.isEmpty() && this.heldUp.isEmpty();
	}

	/**
	 * Add to the batch, which holds something if writing it was interrupted.
	 */
	private void collect(List<Settled> batch, boolean linger) throws InterruptedException {
		if (linger && this.backlog.size() < MAX_BATCH) {
			Thread.sleep(LINGER.toMillis());
		}
		Settled first = batch.isEmpty() ? this.backlog.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) : null;
		if (first != null) {
			batch.add(first);
		}
		this.backlog.drainTo(batch, MAX_BATCH - batch.size());
	}

	private void write(List<Settled> batch) throws InterruptedException {
		while (!hasGivenUp()) {
			try {
				this.writer.write(batch, this.outage.isOn());
				this.outage.over();
				return;
			}
			catch (DataIntegrityViolationException | CannotAcquireLockException ex) {
				refused(batch, ex);
				return;
			}
			catch (Throwable ex) {
				boolean unused = this.givenUp.await(this.outage.failed(ex).toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		drop(batch);
	}

	private void drop(Collection<Settled> unwritten) {
		unwritten.forEach(this.writer::drop);
	}

	/**
	 * What the database refuses for what it is, or because somebody keeps the job locked,
	 * must not hold up the rest.
	 */
	private void refused(List<Settled> batch, DataAccessException ex) throws InterruptedException {
		if (batch.size() > 1) {
			for (Settled settled : batch) {
				write(List.of(settled));
			}
		}
		else if (ex instanceof CannotAcquireLockException) {
			holdUp(batch.get(0), ex);
		}
		else {
			this.writer.refused(batch.get(0), ex);
		}
	}

	private void holdUp(Settled settled, DataAccessException ex) {
		this.heldUp.add(settled);
		settled.log(this.mdc,
				() -> logger.debug("{} is locked by another transaction; its outcome waits", settled, ex));
	}

	/**
	 * Try one of those that were held up, now and then. If it still is, it is the last.
	 */
	private void retryHeldUp() throws InterruptedException {
		if (!this.heldUp.isEmpty() && System.nanoTime() - this.lastRetry > RETRY_INTERVAL.toNanos()) {
			this.lastRetry = System.nanoTime();
			write(List.of(this.heldUp.element()));
			this.heldUp.remove();
		}
	}

	void close() {
		this.closing = true;
	}

	private boolean hasGivenUp() {
		return this.givenUp.getCount() == 0;
	}

	/**
	 * Write nothing more. The log tells of what is left, as do meters.
	 */
	void giveUp() {
		this.givenUp.countDown();
		List<Settled> left = new ArrayList<>();
		this.backlog.drainTo(left);
		drop(left);
	}

}

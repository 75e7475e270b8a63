package io.jobqueue.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.context.JobMdc;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Consequences;
import io.jobqueue.store.HeldKeys;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.Written;

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

	private final UUID worker;

	private final JobStore store;

	private final OpenClaims claims;

	private final JobSignals signals;

	private final SettledEvents events;

	private final FreedSlots slots;

	private final Probes probes;

	private final Tally tally = new Tally();

	private final JobMdc mdc;

	private final JobSteps steps;

	private final BlockingQueue<Settled> backlog = new ArrayBlockingQueue<>(MAX_BACKLOG);

	private final Queue<Settled> heldUp = new ArrayDeque<>();

	private final Outage outage = new Outage(logger, "Writing the outcome of jobs");

	private boolean unanswered;

	private long lastRetry = System.nanoTime();

	private volatile boolean closing;

	private volatile boolean givenUp;

	Settler(UUID worker, JobStore store, OpenClaims claims, JobSignals signals, SettledEvents events, FreedSlots slots,
			Probes probes, JobMdc mdc) {
		this.worker = worker;
		this.store = store;
		this.claims = claims;
		this.signals = signals;
		this.events = events;
		this.slots = slots;
		this.probes = probes;
		this.mdc = mdc;
		this.steps = new JobSteps(mdc);
	}

	/**
	 * Hand over an outcome, waiting for room even when interrupted: it must not be lost
	 * while there is hope to write it.
	 */
	void submit(Settled settled) {
		boolean interrupted = false;
		while (!this.givenUp) {
			try {
				if (this.backlog.offer(settled, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
					break;
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Hand over an outcome and wait until it is written, however long the database fails.
	 * @return whether it was, and not the claim lost; {@code null} if it was given up
	 */
	@Nullable Boolean settle(Settled settled) {
		Receipt receipt = new Receipt();
		submit(settled.with(receipt));
		return receipt.await(() -> this.givenUp);
	}

	@Override
	public void run() {
		List<Settled> batch = new ArrayList<>();
		boolean many = false;
		while (!this.givenUp && !(this.closing && isDone() && batch.isEmpty())) {
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
		while (!this.givenUp) {
			try {
				settle(batch);
				this.outage.over();
				this.unanswered = false;
				return;
			}
			catch (DataIntegrityViolationException | CannotAcquireLockException ex) {
				refused(batch, ex);
				return;
			}
			catch (Throwable ex) {
				this.unanswered = true;
				Thread.sleep(this.outage.failed(ex).toMillis());
			}
		}
	}

	/**
	 * What the database refuses for what it is, or because somebody keeps the job locked,
	 * must not hold up the rest. A job whose outcome it will never take returns when its
	 * claim is over.
	 */
	private void refused(List<Settled> batch, DataAccessException ex) throws InterruptedException {
		if (batch.size() > 1) {
			for (Settled settled : batch) {
				write(List.of(settled));
			}
		}
		else {
			this.mdc.within(batch.get(0).job(), () -> refused(batch.get(0), ex));
		}
	}

	private void refused(Settled settled, DataAccessException ex) {
		if (ex instanceof CannotAcquireLockException) {
			this.heldUp.add(settled);
			logger.debug("{} is locked by another transaction; its outcome waits", settled, ex);
		}
		else {
			logger.error("The database refused the outcome of {}", settled, ex);
			settled.refuse(ex);
		}
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

	private void settle(List<Settled> batch) {
		List<Long> numbers = batch.stream().map((settled) -> settled.job().claim()).toList();
		Written written = this.store.settle(this.worker, batch.stream().map(Settled::outcome).toList(),
				this.claims.endingWith(numbers), new Consequences(this.probes.of(batch), freed(batch)));
		this.tally.count(batch, written);
		this.claims.settled(numbers);
		batch.forEach((settled) -> settled.answer(written.jobs()));
		batch.stream()
			.filter((settled) -> !written.jobs().contains(settled.job().id()))
			.forEach((settled) -> this.mdc.within(settled.job(), () -> lost(settled)));
		if (!written.arrivals().isEmpty()) {
			this.signals.publish(written.arrivals());
		}
		this.steps.settled(batch, written.jobs());
		this.slots.tell(batch);
		batch.stream()
			.filter((settled) -> written.cancelled().contains(settled.job().id()))
			.forEach((settled) -> this.mdc.within(settled.job(), () -> logger.info("{} is cancelled", settled)));
		this.events.tell(batch, written);
	}

	private static List<HeldKeys> freed(List<Settled> batch) {
		return batch.stream().map(Settled::freed).filter(Objects::nonNull).toList();
	}

	/**
	 * After a failure nobody knows whether the outcome had been written nevertheless.
	 */
	private void lost(Settled settled) {
		if (this.unanswered) {
			logger.info("The outcome of {} was written before, or it was taken away from this worker", settled);
		}
		else {
			logger.warn("{} was taken away from this worker; its outcome is void", settled);
		}
	}

	Tally tally() {
		return this.tally;
	}

	void close() {
		this.closing = true;
	}

	void giveUp() {
		this.givenUp = true;
	}

}

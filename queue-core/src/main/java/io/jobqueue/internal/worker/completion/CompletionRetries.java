package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.FailureText;

/**
 * Writes batches of outcomes. While the database does not answer, it retries the same
 * batch. Outcomes that the database rejects, or cannot write because of a lock, are
 * isolated and retried later; the others are written.
 */
final class CompletionRetries {

	static final int MAX_BATCH = 1_000;

	/**
	 * The number of outcomes that fail one by one, without a success between them, from
	 * which on the cause is taken to be common to all outcomes.
	 */
	private static final int MAX_SINGLE_FAILURES = 3;

	private static final Logger logger = LoggerFactory.getLogger(CompletionRetries.class);

	private final CompletionWriter writer;

	private final JobMdc mdc;

	private final CountDownLatch givenUp;

	private final DeferredCompletions deferred;

	private final FailureLog failures = FailureLog.of(logger, "Recording job outcomes");

	private boolean unanswered;

	private int singleFailures;

	private int maxBatch = MAX_BATCH;

	CompletionRetries(CompletionWriter writer, JobMdc mdc, CountDownLatch givenUp, LongSupplier nanoTime) {
		this.writer = writer;
		this.mdc = mdc;
		this.givenUp = givenUp;
		this.deferred = new DeferredCompletions(nanoTime);
	}

	boolean hasDeferred() {
		return !this.deferred.isEmpty();
	}

	/**
	 * Return whether so many outcomes are deferred that the backlog has to wait.
	 */
	boolean isFull() {
		return this.deferred.isFull();
	}

	/**
	 * Return the maximum size of a batch. It is halved when the database cannot write a
	 * batch for lack of time or memory, and grows by 1 with each success.
	 */
	int maxBatch() {
		return this.maxBatch;
	}

	/**
	 * Take over outcomes and write them. This blocks during an outage of the database. If
	 * no outcome could be written at the last try, these wait with the deferred ones. All
	 * outcomes are deferred until they are written, so that none is lost if this throws.
	 * @param batch the outcomes; empty afterwards
	 */
	void takeOver(List<Completion> batch) {
		this.singleFailures = 0;
		List<Completion> taken = List.copyOf(batch);
		this.deferred.addAll(taken);
		batch.clear();
		if (!this.deferred.isEverything() && !taken.isEmpty()) {
			write(taken, false);
		}
	}

	/**
	 * Write outcomes; those that cannot be written stay deferred.
	 * @param again whether the database has answered for these outcomes before
	 */
	private void write(List<Completion> batch, boolean again) {
		boolean answered = again;
		while (!hasGivenUp()) {
			Throwable failure = tryToWrite(batch);
			if (failure == null) {
				return;
			}
			WriteFailure kind = WriteFailure.of(failure);
			if (kind.isOfOutcomes(answered)) {
				isolate(batch, kind, failure);
				return;
			}
			answered = kind != WriteFailure.OUTAGE;
			pause(this.failures.failed(failure));
		}
	}

	private boolean hasGivenUp() {
		return this.givenUp.getCount() == 0;
	}

	private @Nullable Throwable tryToWrite(List<Completion> batch) {
		try {
			this.writer.write(batch, this.unanswered);
			this.deferred.removeAll(batch);
			succeeded();
			return null;
		}
		catch (Throwable ex) {
			this.unanswered |= FailureText.answer(ex) == null || WriteFailure.of(ex) == WriteFailure.OUTAGE;
			return ex;
		}
	}

	private void succeeded() {
		this.failures.succeeded();
		this.unanswered = false;
		this.singleFailures = 0;
		this.maxBatch = Math.min(this.maxBatch + 1, MAX_BATCH);
	}

	private void pause(Duration time) {
		try {
			boolean unused = this.givenUp.await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			logger.debug("The batcher was interrupted", ex);
		}
	}

	private void isolate(List<Completion> batch, WriteFailure kind, Throwable failure) {
		if (batch.size() == 1) {
			this.singleFailures++;
			isolated(batch.get(0), kind, failure);
		}
		else if (kind == WriteFailure.LOCKED) {
			isolateLocked(batch, failure);
		}
		else {
			this.maxBatch = (kind == WriteFailure.TOO_LARGE) ? batch.size() / 2 : this.maxBatch;
			writeParts(batch, half(batch), failure);
		}
	}

	/**
	 * If no row is locked, the table may be: the first {@link #MAX_SINGLE_FAILURES}
	 * outcomes are written one by one to find out.
	 */
	private void isolateLocked(List<Completion> batch, Throwable failure) {
		List<Completion> free = deferLocked(batch);
		if (free.size() < batch.size()) {
			writeParts(free, free.size(), failure);
		}
		else {
			int few = Math.min(MAX_SINGLE_FAILURES, free.size());
			writeParts(free.subList(0, few), 1, failure);
			List<Completion> rest = free.subList(few, free.size());
			writeParts(rest, half(rest), failure);
		}
	}

	private static int half(List<Completion> batch) {
		return (batch.size() + 1) / 2;
	}

	/**
	 * Write a batch in parts. If {@link #MAX_SINGLE_FAILURES} outcomes fail one by one,
	 * the cause is common to all, such as a locked table, and the rest is not tried.
	 */
	private void writeParts(List<Completion> batch, int size, Throwable failure) {
		for (int from = 0; from < batch.size(); from += size) {
			if (this.singleFailures >= MAX_SINGLE_FAILURES) {
				this.deferred.nothingCouldBeWritten();
				Duration unused = this.failures.failed(failure);
				return;
			}
			write(batch.subList(from, Math.min(from + size, batch.size())), true);
		}
	}

	/**
	 * Return the completions whose jobs are not locked. The others stay deferred. The
	 * query does not wait for locks.
	 */
	private List<Completion> deferLocked(List<Completion> batch) {
		Set<UUID> locked = this.writer.locked(batch);
		List<Completion> free = new ArrayList<>();
		for (Completion completion : batch) {
			if (locked.contains(completion.job().id())) {
				logWait(completion, null);
			}
			else {
				free.add(completion);
			}
		}
		return free;
	}

	/**
	 * Defer an outcome that could not be written alone, or give it up.
	 */
	private void isolated(Completion completion, WriteFailure kind, Throwable failure) {
		if (kind != WriteFailure.LOCKED
				&& this.deferred.isRefusedFor(kind.patience(completion.recorded() != null), completion)) {
			this.writer.refused(completion, failure);
			this.deferred.removeAll(List.of(completion));
		}
		else {
			logWait(completion, failure);
		}
	}

	private void logWait(Completion completion, @Nullable Throwable failure) {
		this.mdc.within(completion.job(), () -> logger.debug("The outcome of {} is not recorded yet: {}", completion,
				(failure != null) ? FailureText.of(failure) : "the job is locked by another transaction", failure));
	}

	/**
	 * Retry the deferred outcomes if their pause is over. If none of a batch can be
	 * written, the rest is not tried.
	 */
	void retryDeferred() {
		if (this.deferred.isDue()) {
			try {
				retry(this.deferred.all());
			}
			finally {
				this.deferred.tried();
			}
		}
	}

	private void retry(List<Completion> all) {
		int size = this.maxBatch;
		for (int from = 0; from < all.size() && !this.deferred.isEverything(); from += size) {
			this.singleFailures = 0;
			List<Completion> free = deferLocked(all.subList(from, Math.min(from + size, all.size())));
			if (!free.isEmpty()) {
				write(free, true);
			}
		}
	}

	void dropDeferred() {
		this.deferred.all().forEach(this.writer::drop);
	}

	/**
	 * The outcomes that could not be written although the database answers, and the time
	 * of their next try. All of them are tried together, after a pause that doubles from
	 * 100 ms to 1 s until all are written.
	 */
	static final class DeferredCompletions {

		/**
		 * The number of deferred outcomes from which on the backlog waits. It exceeds the
		 * usual number of jobs that run or are claimed in advance.
		 */
		static final int MAX_SIZE = 20_000;

		private static final long FIRST_PAUSE_MILLIS = 100;

		private static final long MAX_PAUSE_MILLIS = 1_000;

		private final Set<Completion> outcomes = Collections.newSetFromMap(new IdentityHashMap<>());

		private final IdentityHashMap<Completion, Long> firstRefusals = new IdentityHashMap<>();

		private final LongSupplier nanoTime;

		private boolean everything;

		private long pauseMillis = FIRST_PAUSE_MILLIS;

		private long lastTry;

		DeferredCompletions(LongSupplier nanoTime) {
			this.nanoTime = nanoTime;
			this.lastTry = nanoTime.getAsLong();
		}

		boolean isEmpty() {
			return this.outcomes.isEmpty();
		}

		boolean isFull() {
			return this.outcomes.size() >= MAX_SIZE;
		}

		/**
		 * Return whether the last try failed for a cause that is common to all outcomes.
		 */
		boolean isEverything() {
			return this.everything;
		}

		/**
		 * Add outcomes, which stay until they are removed.
		 */
		void addAll(Collection<Completion> batch) {
			if (this.outcomes.isEmpty()) {
				this.lastTry = this.nanoTime.getAsLong();
			}
			this.outcomes.addAll(batch);
		}

		/**
		 * Remove outcomes that were written or given up.
		 */
		void removeAll(Collection<Completion> batch) {
			batch.forEach(this.outcomes::remove);
			if (!this.firstRefusals.isEmpty()) {
				batch.forEach(this.firstRefusals::remove);
			}
		}

		/**
		 * Note that the cause of the failures is common to all outcomes.
		 */
		void nothingCouldBeWritten() {
			this.everything = true;
		}

		boolean isDue() {
			return !this.outcomes.isEmpty()
					&& this.nanoTime.getAsLong() - this.lastTry > Duration.ofMillis(this.pauseMillis).toNanos();
		}

		/**
		 * Return the deferred outcomes in random order, so that each is tried alone at
		 * some time.
		 */
		List<Completion> all() {
			List<Completion> all = new ArrayList<>(this.outcomes);
			Collections.shuffle(all);
			this.everything = false;
			return all;
		}

		/**
		 * Note the end of a retry, and set the pause before the next one.
		 */
		void tried() {
			this.lastTry = this.nanoTime.getAsLong();
			this.pauseMillis = this.outcomes.isEmpty() ? FIRST_PAUSE_MILLIS
					: Math.min(2 * this.pauseMillis, MAX_PAUSE_MILLIS);
		}

		/**
		 * Note that an outcome was refused when it was written alone.
		 * @return whether its first refusal is so long ago
		 */
		boolean isRefusedFor(Duration time, Completion completion) {
			long now = this.nanoTime.getAsLong();
			return now - this.firstRefusals.computeIfAbsent(completion, (first) -> now) >= time.toNanos();
		}

	}

}

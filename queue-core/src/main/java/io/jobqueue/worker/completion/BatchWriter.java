package io.jobqueue.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.FailureLog;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.store.FailureText;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Dead;

/**
 * Writes batches of outcomes. While the database does not answer, it tries the same batch
 * again. What the database refuses, or cannot write because of a lock, is isolated and
 * held up, and the others are written.
 */
final class BatchWriter {

	static final int MAX_BATCH = 1_000;

	/**
	 * When so many outcomes cannot be written one by one, and no other one could be, none
	 * of them is at fault.
	 */
	private static final int FEW = 3;

	private static final Logger logger = LoggerFactory.getLogger(BatchWriter.class);

	private final CompletionWriter writer;

	private final JobMdc mdc;

	private final CountDownLatch givenUp;

	private final HeldUp heldUp = new HeldUp();

	private final FailureLog failures = FailureLog.of(logger, "Recording job outcomes");

	private boolean unanswered;

	private int singlesInVain;

	private int maxBatch = MAX_BATCH;

	BatchWriter(CompletionWriter writer, JobMdc mdc, CountDownLatch givenUp) {
		this.writer = writer;
		this.mdc = mdc;
		this.givenUp = givenUp;
	}

	boolean isAnyHeldUp() {
		return !this.heldUp.isEmpty();
	}

	/**
	 * Return whether so much is held up that other outcomes have to wait.
	 */
	boolean isFull() {
		return this.heldUp.isFull();
	}

	/**
	 * Return how many outcomes the database writes at a time within the time that it
	 * gives to a statement.
	 */
	int maxBatch() {
		return this.maxBatch;
	}

	/**
	 * Take outcomes over and write them, for as long as it takes. Where nothing could be
	 * written a moment ago, they wait with the rest. They are held up from the beginning,
	 * so that whatever is thrown, those that were not written are tried again.
	 * @param batch the outcomes, which is empty afterwards
	 */
	void takeOver(List<Completion> batch) {
		this.singlesInVain = 0;
		List<Completion> taken = List.copyOf(batch);
		this.heldUp.addAll(taken);
		batch.clear();
		if (!this.heldUp.isEverything() && !taken.isEmpty()) {
			write(taken, false);
		}
	}

	/**
	 * Write outcomes, or hold them up.
	 * @param again whether the database has answered for them before
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
			this.heldUp.written(batch);
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
		this.singlesInVain = 0;
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
			this.singlesInVain++;
			isolated(batch.get(0), kind, failure);
		}
		else if (kind == WriteFailure.LOCKED) {
			isolateLocked(batch, failure);
		}
		else {
			this.maxBatch = kind.isOfSize() ? batch.size() / 2 : this.maxBatch;
			writeParts(batch, half(batch), failure);
		}
	}

	/**
	 * Where none of the jobs is locked, the first few show whether the table is.
	 */
	private void isolateLocked(List<Completion> batch, Throwable failure) {
		List<Completion> free = holdUpLocked(batch);
		if (free.size() < batch.size()) {
			writeParts(free, free.size(), failure);
		}
		else {
			int few = Math.min(FEW, free.size());
			writeParts(free.subList(0, few), 1, failure);
			List<Completion> rest = free.subList(few, free.size());
			writeParts(rest, half(rest), failure);
		}
	}

	private static int half(List<Completion> batch) {
		return (batch.size() + 1) / 2;
	}

	/**
	 * When the first few cannot be written one by one either, it is the table that is
	 * locked, or something else that they share.
	 */
	private void writeParts(List<Completion> batch, int size, Throwable failure) {
		for (int from = 0; from < batch.size(); from += size) {
			if (this.singlesInVain >= FEW) {
				this.heldUp.nothingCouldBeWritten();
				Duration unused = this.failures.failed(failure);
				return;
			}
			write(batch.subList(from, Math.min(from + size, batch.size())), true);
		}
	}

	/**
	 * Hold up completions whose jobs are locked, which the database says without waiting.
	 * @return the others
	 */
	private List<Completion> holdUpLocked(List<Completion> batch) {
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

	private void isolated(Completion completion, WriteFailure kind, Throwable failure) {
		if (kind == WriteFailure.LOCKED) {
			logWait(completion, failure);
			return;
		}
		HeldUp.Refusal first = this.heldUp.refused(completion);
		boolean awaited = completion.recorded() != null && !kind.isCausedElsewhere();
		boolean atFault = kind == WriteFailure.INVALID || awaited || this.heldUp.isProven(completion, kind);
		if (atFault || first.isOlderThan(HeldUp.FIRST_TRIES)) {
			refuse(completion, failure, atFault || first.isOlderThan(HeldUp.ALL_TRIES));
		}
		else {
			logWait(completion, failure);
		}
	}

	/**
	 * Write as much of an outcome as the database takes.
	 * @param last whether this is the last try
	 */
	private void refuse(Completion completion, Throwable failure, boolean last) {
		Completion reduced = completion.reduced();
		Throwable refusal = (reduced != null) ? tryToWrite(List.of(reduced)) : failure;
		if (refusal == null) {
			this.heldUp.removeAll(List.of(completion));
			this.writer.reduced(completion, failure);
		}
		else if (last && WriteFailure.of(refusal).isRefusal()) {
			this.writer.refused(completion, failure);
			this.heldUp.removeAll(List.of(completion));
		}
		else {
			logWait(completion, refusal);
		}
	}

	private void logWait(Completion completion, @Nullable Throwable failure) {
		this.mdc.within(completion.job(), () -> logger.debug("The outcome of {} is not recorded yet: {}", completion,
				(failure != null) ? FailureText.of(failure) : "the job is locked by another transaction", failure));
	}

	/**
	 * Try all again that are held up, if it is time to. Once a batch of them cannot be
	 * written at all, neither can the next.
	 */
	void retryHeldUp() {
		if (this.heldUp.isDue()) {
			try {
				retry(this.heldUp.all());
			}
			finally {
				this.heldUp.tried();
			}
		}
	}

	private void retry(List<Completion> all) {
		int size = this.maxBatch;
		for (int from = 0; from < all.size() && !this.heldUp.isEverything(); from += size) {
			this.singlesInVain = 0;
			List<Completion> free = holdUpLocked(all.subList(from, Math.min(from + size, all.size())));
			if (!free.isEmpty()) {
				write(free, true);
			}
		}
	}

	void dropHeldUp() {
		this.heldUp.all().forEach(this.writer::drop);
	}

	/**
	 * OutcomePolicy that could not be written while the database answers, and when to try
	 * them again: all of them together, after a pause that grows while none can be
	 * written.
	 */
	static final class HeldUp {

		/**
		 * So many wait before the outcomes of other jobs wait with them. That is more
		 * than handlers and claims in advance commonly come to.
		 */
		static final int MAX_SIZE = 20_000;

		private static final long FIRST_PAUSE_MILLIS = 100;

		private static final long MAX_PAUSE_MILLIS = 1_000;

		/**
		 * For so long an outcome is tried as it is while no other one can be written.
		 */
		static final Duration FIRST_TRIES = Duration.ofMinutes(1);

		/**
		 * For so long an outcome is tried at all while no other one can be written: a
		 * right that is missing is granted within that time.
		 */
		static final Duration ALL_TRIES = Duration.ofHours(1);

		private final Set<Completion> outcomes = Collections.newSetFromMap(new IdentityHashMap<>());

		private final IdentityHashMap<Completion, Refusal> refusals = new IdentityHashMap<>();

		private final Map<Kind, Long> lastWrites = new HashMap<>();

		private long writes;

		private boolean everything;

		private long pauseMillis = FIRST_PAUSE_MILLIS;

		private long lastTry = System.nanoTime();

		boolean isEmpty() {
			return this.outcomes.isEmpty();
		}

		boolean isFull() {
			return this.outcomes.size() >= MAX_SIZE;
		}

		/**
		 * Return whether nothing at all could be written at the last try.
		 */
		boolean isEverything() {
			return this.everything;
		}

		/**
		 * Hold up outcomes until each of them is removed. Those that are here already
		 * stay.
		 */
		void addAll(Collection<Completion> batch) {
			if (this.outcomes.isEmpty()) {
				this.lastTry = System.nanoTime();
			}
			this.outcomes.addAll(batch);
		}

		/**
		 * Note that outcomes were written as they are. While others wait, that may prove
		 * one of the same kind at fault.
		 */
		void written(Collection<Completion> batch) {
			removeAll(batch);
			if (!this.refusals.isEmpty()) {
				this.writes++;
				batch.forEach((completion) -> this.lastWrites.put(Kind.of(completion.outcome()), this.writes));
			}
		}

		/**
		 * Note that outcomes were written in part, or given up.
		 */
		void removeAll(Collection<Completion> batch) {
			batch.forEach(this.outcomes::remove);
			if (!this.refusals.isEmpty()) {
				batch.forEach(this.refusals::remove);
			}
		}

		/**
		 * Note that none of the outcomes is at fault.
		 */
		void nothingCouldBeWritten() {
			this.everything = true;
		}

		boolean isDue() {
			return !this.outcomes.isEmpty()
					&& System.nanoTime() - this.lastTry > Duration.ofMillis(this.pauseMillis).toNanos();
		}

		/**
		 * Return all outcomes to be tried again, in another order: those that were tried
		 * one by one are not always the same.
		 */
		List<Completion> all() {
			List<Completion> all = new ArrayList<>(this.outcomes);
			Collections.shuffle(all);
			this.everything = false;
			return all;
		}

		/**
		 * Note that all were tried again.
		 */
		void tried() {
			this.lastTry = System.nanoTime();
			this.pauseMillis = this.outcomes.isEmpty() ? FIRST_PAUSE_MILLIS
					: Math.min(2 * this.pauseMillis, MAX_PAUSE_MILLIS);
		}

		/**
		 * Note that an outcome was refused when it was tried alone.
		 * @return when it was refused for the first time
		 */
		Refusal refused(Completion completion) {
			return this.refusals.computeIfAbsent(completion, (key) -> new Refusal(this.writes, System.nanoTime()));
		}

		/**
		 * Return whether an outcome is at fault, as another one of its kind was written
		 * since it was refused for the first time.
		 */
		boolean isProven(Completion completion, WriteFailure failure) {
			HeldUp.Refusal first = refused(completion);
			return this.lastWrites.getOrDefault(Kind.of(completion.outcome()), 0L) > first.writes()
					&& failure != WriteFailure.DENIED && (!failure.isOfSize() || first.isOlderThan(FIRST_TRIES));
		}

		/**
		 * OutcomePolicy that are written to the same tables.
		 *
		 * @param type the class of the outcome
		 * @param unkept whether it has no row in the archive
		 */
		private record Kind(Class<?> type, boolean unkept) {

			static Kind of(Outcome outcome) {
				return new Kind(outcome.getClass(), Duration.ZERO.equals(keep(outcome)));
			}

			private static @Nullable Duration keep(Outcome outcome) {
				if (outcome instanceof Completed completed) {
					return completed.keep();
				}
				return (outcome instanceof Dead dead) ? dead.keep() : null;
			}

		}

		/**
		 * The first time that an outcome was refused.
		 *
		 * @param writes how many writes had succeeded by then
		 * @param at when that was, as a {@link System#nanoTime}
		 */
		record Refusal(long writes, long at) {

			boolean isOlderThan(Duration age) {
				return System.nanoTime() - this.at > age.toNanos();
			}

		}

	}

}

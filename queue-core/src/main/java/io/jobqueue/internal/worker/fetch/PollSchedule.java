package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.signal.EmptyTables;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;

/**
 * Schedules the claims and polls of a worker that no signal triggers, and its admissions:
 * claims at the next known run-at, polls for jobs whose signals were lost, admissions of
 * jobs with an ordering or a limit key only where a signal or a poll has found some.
 * While polls find no job and signals of other nodes arrive, the poll interval doubles up
 * to its maximum; otherwise it is the shortest interval, since jobs without a signal wait
 * for the next poll. Workers take turns at polling.
 */
public final class PollSchedule {

	/**
	 * The largest part of the interval that is added at random, so that polls do not all
	 * coincide at the full second.
	 */
	private static final double JITTER = 0.02;

	/**
	 * The pause after a poll, as a multiple of the time that the poll took, so that most
	 * of the time is left for claims. The longest interval limits the pause, since the
	 * time of a poll includes waiting for a connection.
	 */
	private static final int MIN_PAUSES = 40;

	private static final Duration LONGEST_SPREAD = Duration.ofSeconds(1);

	/**
	 * Heartbeats may have a connection of their own. Only a poll that searches shows that
	 * the pool still gives connections.
	 */
	private static final int MAX_REPLACED = 7;

	private final Duration interval;

	private final Duration maxInterval;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline poll = new Deadline();

	private final Deadline claim = new Deadline();

	private final Deadline rested = new Deadline();

	private final Map<String, Deadline> admissions = new HashMap<>();

	private Duration current;

	private boolean requested;

	private boolean answering;

	private boolean foundNothing;

	private int replaced;

	private Turn turn = Turn.ALONE;

	/**
	 * Create a schedule whose first poll is due at once.
	 * @param interval the shortest interval of polls
	 * @param maxInterval the longest interval of polls
	 * @param wakeUpWorks returns whether signals of other nodes arrive
	 */
	public PollSchedule(Duration interval, Duration maxInterval, BooleanSupplier wakeUpWorks) {
		this.interval = interval;
		this.maxInterval = maxInterval;
		this.wakeUpWorks = wakeUpWorks;
		this.current = interval;
		this.rested.reset(Duration.ZERO);
		pollNow();
		begin();
	}

	synchronized void pollNow() {
		this.requested = true;
		this.poll.within(Duration.ZERO);
	}

	/**
	 * Poll at a random time within the shortest interval, at most 1 second. All workers
	 * may lose signals at the same time, so their polls are spread.
	 */
	synchronized void pollSoon() {
		this.requested = true;
		long spread = shorter(this.interval, LONGEST_SPREAD).toNanos();
		Duration jitter = Duration.ofNanos(ThreadLocalRandom.current().nextLong(spread));
		this.poll.within(longer(jitter, this.rested.remaining()));
	}

	/**
	 * Poll by turns from now on.
	 */
	synchronized void follow(Turn turn) {
		this.turn = turn;
		if (!this.wakeUpWorks.getAsBoolean()) {
			this.current = this.interval;
		}
		this.poll.within(nextPoll());
	}

	synchronized boolean isPollDue() {
		return this.poll.isDue();
	}

	/**
	 * Note that a poll begins, which answers all requests until now. It may miss the jobs
	 * of later ones.
	 */
	synchronized void begin() {
		this.answering |= this.requested;
		this.requested = false;
	}

	/**
	 * Return whether heartbeats replace the poll that is due, after one that found
	 * nothing. They do not replace one that was requested, since a signal may have been
	 * lost after the last heartbeat, and not each eighth one.
	 */
	synchronized boolean replace(EmptyTables tables) {
		boolean replaceable = this.foundNothing && !this.requested && !this.answering && this.replaced < MAX_REPLACED;
		boolean replaces = replaceable && tables.areEmpty(this.current);
		this.replaced = replaces ? this.replaced + 1 : 0;
		return replaces;
	}

	/**
	 * Return whether the last poll found nothing, and signals of other nodes arrive.
	 */
	synchronized boolean isCalm() {
		return this.foundNothing && this.wakeUpWorks.getAsBoolean();
	}

	/**
	 * Schedule the next poll.
	 * @param found whether the poll found due jobs
	 * @param took the duration of the poll
	 */
	synchronized void polled(boolean found, Duration took) {
		this.answering = false;
		this.foundNothing = !found;
		boolean rarely = !found && this.wakeUpWorks.getAsBoolean();
		this.current = rarely ? shorter(this.current.multipliedBy(2), this.maxInterval) : this.interval;
		this.rested.reset(shorter(took.multipliedBy(MIN_PAUSES), this.maxInterval));
		this.poll.reset(this.requested ? Duration.ZERO : nextPoll());
	}

	/**
	 * Schedule a claim after the given time, unless an earlier one is scheduled.
	 */
	synchronized void claimWithin(Duration time) {
		this.claim.within(time);
	}

	/**
	 * Return whether a claim is due, and remove it from the schedule.
	 */
	synchronized boolean takeDueClaim() {
		boolean due = this.claim.isDue();
		if (due) {
			this.claim.cancel();
		}
		return due;
	}

	/**
	 * Schedule an admission of a queue's jobs after the given time, unless an earlier one
	 * is scheduled.
	 */
	synchronized void admitWithin(String queue, Duration time) {
		this.admissions.computeIfAbsent(queue, (absent) -> new Deadline()).within(time);
	}

	/**
	 * Return whether an admission of a queue's jobs is due, and remove it from the
	 * schedule. A job that arrives during the admission may be left to the next one.
	 */
	synchronized boolean takeDueAdmission(String queue) {
		Deadline deadline = this.admissions.get(queue);
		boolean due = deadline != null && deadline.isDue();
		if (due) {
			this.admissions.remove(queue);
		}
		return due;
	}

	synchronized Duration remaining() {
		return shorter(this.poll.remaining(), this.claim.remaining());
	}

	private Duration nextPoll() {
		double jitter = ThreadLocalRandom.current().nextDouble(JITTER) * this.current.toNanos();
		Duration turn = this.turn.untilTurn(this.current).plusNanos((long) jitter);
		return longer(turn, this.rested.remaining());
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

	/**
	 * The turn of a worker to poll. Idle workers that serve the same queues, types and
	 * priorities take turns of one interval each, by the database's clock, so that all of
	 * them together poll once per interval.
	 *
	 * @param place the place of this worker, from 0
	 * @param size the number of workers
	 * @param clock the difference between the database's clock and
	 * {@link System#nanoTime()}, in nanoseconds
	 */
	record Turn(int place, int size, long clock) {

		static final Turn ALONE = new Turn(0, 1, 0);

		/**
		 * Return the turn that a heartbeat has assigned.
		 */
		static Turn of(CheckInResult checkIn) {
			Instant at = checkIn.at();
			long nanos = TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
			return new Turn(checkIn.place(), checkIn.size(), nanos - System.nanoTime());
		}

		/**
		 * Return the time until the next turn of this worker begins.
		 */
		Duration untilTurn(Duration interval) {
			long round = interval.toNanos() * this.size;
			long now = System.nanoTime() + this.clock;
			return Duration.ofNanos(Math.floorMod(this.place * interval.toNanos() - now, round));
		}

	}

}

package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.jobqueue.store.WorkerStore.CheckInResult;

/**
 * The turn of a worker to poll. Idle workers that serve the same queues, types and
 * priorities take turns of one interval each, by the database's clock, so that all of
 * them together poll once per interval.
 *
 * @param place the place of this worker, from 0
 * @param size the number of workers
 * @param clock the difference between the database's clock and {@link System#nanoTime()},
 * in nanoseconds
 */
record PollTurn(int place, int size, long clock) {

	static final PollTurn ALONE = new PollTurn(0, 1, 0);

	/**
	 * Return the turn that a heartbeat has assigned.
	 */
	static PollTurn of(CheckInResult checkIn) {
		Instant at = checkIn.at();
		long nanos = TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
		return new PollTurn(checkIn.place(), checkIn.size(), nanos - System.nanoTime());
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

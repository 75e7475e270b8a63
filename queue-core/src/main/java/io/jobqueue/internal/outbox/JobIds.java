package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Creates the ids of jobs: UUIDs of version 7 (RFC 9562, section 5.7). They begin with
 * the milliseconds of the application's clock and a number within the millisecond, so
 * that the ids of one source ascend: an index grows at its end, in pages that are filled
 * and split once. The order of jobs is defined by the database's sequence, not by their
 * ids.
 */
public final class JobIds implements Supplier<UUID> {

	private static final long VERSION = 0x7000L;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	private static final int NUMBER_BITS = 12;

	private static final long LAST_NUMBER = (1L << NUMBER_BITS) - 1;

	private final Clock clock;

	/**
	 * The milliseconds and the number of the last id.
	 */
	private final AtomicLong last = new AtomicLong();

	/**
	 * Create a source of ids.
	 * @param clock the application's clock
	 */
	public JobIds(Clock clock) {
		this.clock = clock;
	}

	@Override
	public UUID get() {
		long time = this.last.accumulateAndGet(this.clock.millis() << NUMBER_BITS, JobIds::next);
		long high = time >>> NUMBER_BITS << 16 | VERSION | (time & LAST_NUMBER);
		return new UUID(high, ThreadLocalRandom.current().nextLong() >>> 2 | VARIANT);
	}

	/**
	 * A clock that goes back, as for a thread that has read it before another one, does
	 * not change the order. Numbers that are used up continue in the next millisecond.
	 */
	private static long next(long last, long now) {
		return Math.max(last + 1, now);
	}

}

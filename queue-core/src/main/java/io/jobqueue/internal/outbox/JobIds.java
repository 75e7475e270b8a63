package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Creates the ids of jobs: UUIDs of version 7 (RFC 9562, section 5.7). They begin with
 * the milliseconds of the application's clock, so that jobs of the same time are adjacent
 * in an index. The order of jobs is defined by the database's sequence, not by their ids.
 */
public final class JobIds implements Supplier<UUID> {

	private static final long VERSION = 0x7000L;

	private static final long VARIANT = 0x8000_0000_0000_0000L;

	private final Clock clock;

	/**
	 * Create a source of ids.
	 * @param clock the application's clock
	 */
	public JobIds(Clock clock) {
		this.clock = clock;
	}

	@Override
	public UUID get() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		long high = this.clock.millis() << 16 | VERSION | random.nextInt(0x1000);
		long low = random.nextLong() >>> 2 | VARIANT;
		return new UUID(high, low);
	}

}

package io.jobqueue.worker;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells others than the thread that claims jobs whether it has claimed any between two
 * moments.
 */
final class ClaimMarks {

	/**
	 * The mark while nobody knows what the last claim took.
	 */
	static final long UNKNOWN = -1;

	private final AtomicLong begun = new AtomicLong();

	private volatile long known;

	/**
	 * Only the thread that claims asks.
	 */
	private boolean inDoubt;

	void begin() {
		this.begun.incrementAndGet();
	}

	/**
	 * Note that what the last claim took is known.
	 */
	void know() {
		if (!this.inDoubt) {
			this.known = this.begun.get();
		}
	}

	/**
	 * Note that what the last claim took is not known until it is given back.
	 */
	void doubt() {
		this.inDoubt = true;
	}

	/**
	 * Note that what was in doubt was given back.
	 */
	void resolve() {
		this.inDoubt = false;
		know();
	}

	long mark() {
		long last = this.begun.get();
		return (this.known == last) ? last : UNKNOWN;
	}

}

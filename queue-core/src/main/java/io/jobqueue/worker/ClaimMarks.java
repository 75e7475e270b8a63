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

	void begin() {
		this.begun.incrementAndGet();
	}

	/**
	 * Note that what was claimed is known, or was given back.
	 */
	void know() {
		this.known = this.begun.get();
	}

	long mark() {
		long last = this.begun.get();
		return (this.known == last) ? last : UNKNOWN;
	}

}

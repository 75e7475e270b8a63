package io.jobqueue.docs;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bank that is busy at the first calls.
 */
class Bank {

	private final AtomicInteger calls = new AtomicInteger();

	private final Set<Long> refunded = ConcurrentHashMap.newKeySet();

	void refund(long invoiceId) {
		if (this.calls.incrementAndGet() == 1) {
			throw new TooManyRequests(Duration.ofMillis(10));
		}
		this.refunded.add(invoiceId);
	}

	Set<Long> refunded() {
		return this.refunded;
	}

}

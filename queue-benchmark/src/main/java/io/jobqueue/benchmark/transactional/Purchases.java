package io.jobqueue.benchmark.transactional;

import java.util.function.LongConsumer;

/**
 * The handler that is measured: it inserts one business row.
 */
abstract class Purchases {

	/**
	 * How many jobs run at a time, each on a connection of its own.
	 */
	static final int CONNECTIONS = 15;

	/**
	 * How many jobs share a transaction where they do.
	 */
	static final int SHARED = 20;

	static final String POOL = "spring.datasource.hikari.maximum-pool-size=32";

	private volatile LongConsumer listener = (number) -> {
	};

	/**
	 * Replace the listener.
	 * @param listener gets the number of each purchase on the thread of its handler,
	 * before the commit
	 */
	void onPurchase(LongConsumer listener) {
		this.listener = listener;
	}

	void inserted(long number) {
		this.listener.accept(number);
	}

}

package io.jobqueue.benchmark.cold;

import java.util.concurrent.atomic.AtomicInteger;

import io.jobqueue.benchmark.timing.Threads;

/**
 * Transactions and bulk calls of several threads.
 */
final class Portions {

	private static final int THREADS = 8;

	private static final int CALLERS = 4;

	private static final int CALL = 1_000;

	private Portions() {
	}

	/**
	 * Commit transactions from eight threads.
	 */
	static ColdFigures transactions(int transactions, Transaction transaction) throws Exception {
		return measure(THREADS, transactions, 1, (from, to) -> transaction.commit(from));
	}

	/**
	 * Insert jobs from four threads, 1,000 a call.
	 */
	static ColdFigures bulk(int jobs, Call call) throws Exception {
		return measure(CALLERS, jobs, Math.min(CALL, jobs), call);
	}

	private static ColdFigures measure(int threads, int amount, int portion, Call call) throws Exception {
		AtomicInteger next = new AtomicInteger();
		try (Threads callers = new Threads(threads)) {
			return ColdFigures.of(callers.rate(amount, (thread) -> {
				for (int from = next.getAndAdd(portion); from < amount; from = next.getAndAdd(portion)) {
					call.insert(from, Math.min(amount, from + portion));
				}
			}));
		}
	}

	/**
	 * Commits a transaction.
	 */
	@FunctionalInterface
	interface Transaction {

		void commit(int number) throws Exception;

	}

	/**
	 * Inserts the jobs of a range.
	 */
	@FunctionalInterface
	interface Call {

		void insert(int from, int to) throws Exception;

	}

}

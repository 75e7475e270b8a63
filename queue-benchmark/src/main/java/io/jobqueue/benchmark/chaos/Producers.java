package io.jobqueue.benchmark.chaos;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Producers at work, each on a thread of its own.
 */
final class Producers implements AutoCloseable {

	private static final int COUNT = 2;

	private final ExecutorService threads = Executors.newFixedThreadPool(COUNT);

	private final List<Producer> producers;

	private final List<Future<Set<UUID>>> acknowledged = new ArrayList<>();

	/**
	 * Let them begin.
	 * @param ledger where they order
	 * @param random decides what they order, and when
	 */
	Producers(Ledger ledger, Random random) {
		this.producers = random.longs(COUNT).mapToObj((seed) -> new Producer(ledger, new Random(seed))).toList();
		this.producers.forEach((producer) -> this.acknowledged.add(this.threads.submit(producer)));
	}

	/**
	 * Let them end.
	 * @return the jobs whose commit was acknowledged
	 * @throws ExecutionException if one of them failed, and not for the database
	 */
	Set<UUID> finish() throws ExecutionException, InterruptedException {
		close();
		Set<UUID> all = new HashSet<>();
		for (Future<Set<UUID>> some : this.acknowledged) {
			all.addAll(some.get());
		}
		return all;
	}

	@Override
	public void close() {
		this.producers.forEach(Producer::stop);
		this.threads.shutdown();
	}

}

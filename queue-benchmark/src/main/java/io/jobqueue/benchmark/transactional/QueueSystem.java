package io.jobqueue.benchmark.transactional;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.timing.Progress;

/**
 * The queue with a transactional handler and the archive. The start of its worker and the
 * end of its last claim count as well.
 *
 * @param database the database
 * @param queue the application
 */
record QueueSystem(BenchmarkDatabase database, MeasuredQueue queue) implements MeasuredSystem {

	static QueueSystem of(BenchmarkDatabase database, Class<?> handler) {
		return of(database, handler, 1);
	}

	static QueueSystem of(BenchmarkDatabase database, Class<?> handler, int transactionSize) {
		return new QueueSystem(database,
				MeasuredQueue.startWith(handler, database, Purchases.POOL, "jobqueue.worker.transactional-share=0.5",
						"jobqueue.queues.%s.concurrency=%s".formatted(Purchase.QUEUE, Purchases.CONNECTIONS),
						"jobqueue.queues.%s.transaction-size=%s".formatted(Purchase.QUEUE, transactionSize)));
	}

	@Override
	public void fill(int jobs) {
		this.database.removeJobs();
		this.queue.fill(jobs, Purchase::new);
	}

	@Override
	public double drain(int jobs) throws Exception {
		Progress progress = Progress.of(jobs);
		this.queue.bean(Purchases.class).onPurchase((number) -> progress.add(1));
		return this.queue.drainFilled(progress);
	}

	@Override
	public void close() {
		this.queue.close();
	}

}

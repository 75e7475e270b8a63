package io.jobqueue.benchmark.cost;

import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.ManyQueues;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.Parcel;
import io.jobqueue.benchmark.subject.ParcelSystem;
import io.jobqueue.benchmark.timing.Progress;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The queue with its default settings.
 *
 * @param database the database
 * @param queue the application
 */
record QueueParcels(BenchmarkDatabase database, MeasuredQueue queue) implements ParcelSystem {

	/**
	 * Start the application.
	 * @param retention how long the archive keeps jobs, 0 for not at all
	 */
	static QueueParcels of(BenchmarkDatabase database, String retention) {
		return new QueueParcels(database,
				MeasuredQueue.startWith(Parcels.class, database, "jobqueue.worker.queues=" + Parcels.QUEUE,
						"jobqueue.defaults.retention.succeeded=" + retention, ManyQueues.QUIET));
	}

	@Override
	public void clear() {
		this.database.removeJobs();
	}

	@Override
	public void fill(int jobs) {
		this.queue.fill(jobs, Parcel::of);
	}

	@Override
	public void drain(int jobs) throws Exception {
		Progress progress = Progress.of(jobs);
		this.queue.bean(Parcels.class).onParcel((count) -> progress.add(1));
		this.queue.drainFilled(progress);
	}

	@Override
	public void commit(int number) {
		this.queue.transaction().executeWithoutResult((status) -> {
			new JdbcTemplate(this.queue.dataSource()).update(PlainSql.INSERT_BUSINESS, PlainSql.customer(number));
			this.queue.jobQueue().enqueue(Parcel.of(number));
		});
	}

	@Override
	public void vacuum() {
		this.database.execute("VACUUM jobqueue_job, jobqueue_claim, jobqueue_worker");
	}

	@Override
	public void close() {
		this.queue.close();
	}

}

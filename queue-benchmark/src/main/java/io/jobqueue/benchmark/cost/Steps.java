package io.jobqueue.benchmark.cost;

import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.subject.ParcelSystem;
import io.jobqueue.benchmark.timing.Threads;

/**
 * The steps of a job, on either side.
 *
 * @param database the database
 * @param meter measures them
 * @param side begins the names of the steps
 */
record Steps(BenchmarkDatabase database, Meter meter, String side) {

	static final String BULK = "bulk";

	static final String ARCHIVE = "archive";

	static final String VACUUM = "vacuum";

	static final String GONE = "gone";

	static final String TRANSACTION = "tx";

	static final String TRANSACTIONAL = "transactional";

	private static final int THREADS = 8;

	/**
	 * Enqueue jobs and run them.
	 * @return microseconds of a processor for each job
	 */
	double archive(ParcelSystem system, int jobs) throws Exception {
		begin();
		system.clear();
		double bulk = measure(BULK, jobs, () -> system.fill(jobs));
		settle();
		double archive = measure(ARCHIVE, jobs, () -> system.drain(jobs));
		measure(VACUUM, jobs, system::vacuum);
		return bulk + archive;
	}

	void delete(ParcelSystem system, int jobs) throws Exception {
		begin();
		system.clear();
		system.fill(jobs);
		settle();
		measure(GONE, jobs, () -> system.drain(jobs));
	}

	void enqueue(ParcelSystem system, int transactions) throws Exception {
		begin();
		system.clear();
		int perThread = Math.max(1, transactions / THREADS);
		try (Threads threads = new Threads(THREADS)) {
			measure(TRANSACTION, perThread * THREADS, () -> threads.rate(perThread, (thread) -> {
				for (int number = 0; number < perThread; number++) {
					system.commit(thread * perThread + number);
				}
			}));
		}
	}

	void handle(MeasuredSystem system, int jobs) throws Exception {
		begin();
		system.fill(jobs);
		settle();
		measure(TRANSACTIONAL, jobs, () -> system.drain(jobs));
	}

	private void begin() {
		this.database.execute("CHECKPOINT");
		this.database.execute(PlainSql.EMPTY_BUSINESS);
	}

	/**
	 * Without another checkpoint, as pages would be written as a whole after it.
	 */
	private void settle() {
		this.database.execute("VACUUM (ANALYZE)");
	}

	private double measure(String step, int jobs, Meter.Work work) throws Exception {
		return this.meter.measure(this.side + step, jobs, work);
	}

}

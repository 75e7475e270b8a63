package io.jobqueue.benchmark.drain;

import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;

/**
 * Drains a backlog of no-op jobs while something else goes on in the database, through
 * the queue or on plain SQL. What is there besides due jobs stays.
 *
 * @param database the database
 * @param queue the queue
 * @param plain plain SQL
 */
record Draining(BenchmarkDatabase database, MeasuredQueue queue, PlainDrain plain) {

	static final int JOBS = Drain.JOBS;

	static Draining of(BenchmarkDatabase database, MeasuredQueue queue) {
		PlainDrain plain = PlainDrain.of(database, 1);
		plain.create();
		return new Draining(database, queue, plain);
	}

	static MeasuredQueue start(BenchmarkDatabase database) {
		MeasuredQueue queue = MeasuredQueue.start(database, Drain.retention("0"));
		database.removeJobs();
		return queue;
	}

	Progress queue(Progress progress, Beside beside) throws Exception {
		Backlog.DUE.fillUpTo(this.database, progress.expected());
		return run(progress, beside, this.queue::run);
	}

	Progress plain(Progress progress, Beside beside) throws Exception {
		this.plain.fillUpTo(progress.expected());
		return run(progress, beside, this.plain::drain);
	}

	private Progress run(Progress progress, Beside beside, Run run) throws Exception {
		this.database.settle();
		AutoCloseable ongoing = beside.begin(this.database);
		try {
			run.to(progress);
			return progress;
		}
		finally {
			ongoing.close();
		}
	}

	/**
	 * Drains.
	 */
	@FunctionalInterface
	private interface Run {

		void to(Progress progress) throws Exception;

	}

	/**
	 * Begins what goes on beside.
	 */
	@FunctionalInterface
	interface Beside {

		Beside NOTHING = (database) -> () -> {
		};

		AutoCloseable begin(BenchmarkDatabase database) throws Exception;

	}

}

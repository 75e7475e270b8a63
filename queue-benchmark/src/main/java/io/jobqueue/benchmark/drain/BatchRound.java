package io.jobqueue.benchmark.drain;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.util.Assert;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.subject.NoOp;
import io.jobqueue.benchmark.timing.Histogram;
import io.jobqueue.benchmark.timing.Progress;

/**
 * Drains no-op jobs that are the members of one batch, and checks that its callback ran
 * once and that its numbers are right.
 *
 * @param database the database
 * @param queue the queue
 * @param infos receives how long it takes to read the numbers during a drain
 */
record BatchRound(BenchmarkDatabase database, MeasuredQueue queue, Histogram infos) {

	private static final int CALL = 1_000;

	private static final NoOp CALLBACK = new NoOp(-1);

	/**
	 * Fill the empty table, and measure from the start of the worker until no job is
	 * left, the callback included.
	 * @param jobs the number of members
	 * @return jobs per second
	 */
	double drain(int jobs) throws Exception {
		this.database.removeJobs();
		Batch batch = fill(jobs);
		this.database.settle();
		AtomicInteger callbacks = new AtomicInteger();
		double rate = drain(batch, Progress.of(jobs + 1), callbacks);
		check(batch.info(), jobs, callbacks.get());
		return rate;
	}

	private Batch fill(int jobs) {
		Batch batch = this.queue.jobQueue().batch("drain").then(CALLBACK).start();
		for (int from = 0; from < jobs; from += CALL) {
			batch.add(MeasuredQueue.requests(from, Math.min(jobs, from + CALL)));
		}
		batch.seal();
		return batch;
	}

	private double drain(Batch batch, Progress progress, AtomicInteger callbacks)
			throws InterruptedException, SQLException {
		this.queue.noOps().onJob((number) -> {
			if (number == CALLBACK.value()) {
				callbacks.incrementAndGet();
			}
			progress.add(1);
		});
		InfoCalls calls = InfoCalls.start(batch, this.infos);
		try {
			return this.queue.drainFilled(progress);
		}
		finally {
			calls.close();
		}
	}

	private static void check(BatchInfo info, int jobs, int callbacks) {
		Assert.state(callbacks == 1, () -> "The callback ran %s times".formatted(callbacks));
		Assert.state(info.equals(new BatchInfo(jobs, jobs, 0, 0)),
				() -> "%s after %s members succeeded".formatted(info, jobs));
	}

}

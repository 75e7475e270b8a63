package io.jobqueue.benchmark.cold;

import java.util.concurrent.CountDownLatch;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Rate;

/**
 * The first job of db-scheduler, set up for PostgreSQL: polling with lock-and-fetch.
 */
final class SchedulerTask {

	private static final String NAME = "no-op";

	private static final double LOWER = 0.5;

	private static final double UPPER = 1.0;

	private SchedulerTask() {
	}

	static void fill(BenchmarkDatabase database, int jobs) {
		database.execute(PlainSql.CREATE_SCHEDULED);
		database.sql().sql(PlainSql.FILL_SCHEDULED).param(NAME).param(jobs).update();
	}

	/**
	 * Measure the time from the start of the scheduler to the first execution.
	 */
	static ColdFigures first(MeasuredQueue application, int jobs) throws Exception {
		CountDownLatch first = new CountDownLatch(1);
		OneTimeTask<Void> task = Tasks.oneTime(NAME).execute((instance, context) -> first.countDown());
		Scheduler scheduler = Scheduler.create(application.dataSource(), task)
			.pollUsingLockAndFetch(LOWER, UPPER)
			.build();
		long start = System.nanoTime();
		scheduler.start();
		first.await();
		ColdFigures figures = ColdFigures.of(Rate.millisSince(start));
		scheduler.stop();
		return figures;
	}

}

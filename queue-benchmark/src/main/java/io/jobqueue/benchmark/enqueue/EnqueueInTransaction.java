package io.jobqueue.benchmark.enqueue;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.plain.PlainTransaction;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Threads;

/**
 * How many jobs a second eight threads enqueue, each beside a row of the business in a
 * transaction of its own, while no worker runs.
 * <p>
 * Plain SQL does the same two inserts into the same tables on connections of the same
 * pool, and writes what the queue writes: the same columns, the same kind of id, the same
 * payload, which it spells itself. It pays neither for Spring's transactions nor for
 * {@code JdbcTemplate}; the queue's side pays for both, as its users do. A third does the
 * same two inserts with both: its rate is {@code spring}, and the queue's share of that
 * is {@code ratio_spring}. The queue's side is spared nothing: it checks and encodes each
 * payload and signals the commits to other nodes. A fourth is plain SQL with the jobs in
 * a lean table, which has a bigint key and one index: its rate is {@code lean}, and the
 * queue's share of that, {@code lean_ratio}, contains the cost of the queue's table. All
 * begin with empty tables and after a checkpoint, so that none writes the full pages of
 * another.
 */
public final class EnqueueInTransaction implements Scenario {

	public static final String NO_WORKER = "jobqueue.worker.enabled=false";

	private static final int TRANSACTIONS = 40_000;

	private static final int THREADS = 8;

	private static final double BAR = 0.92;

	private static final String SPRING = "spring";

	static final String LEAN = "lean";

	@Override
	public String name() {
		return "enqueue-tx";
	}

	@Override
	public String measures() {
		return "8 threads, a business row and a job in each transaction";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		database.execute(PlainSql.CREATE_BUSINESS);
		try (MeasuredQueue queue = MeasuredQueue.start(database, NO_WORKER); Threads threads = new Threads(THREADS)) {
			Round round = new Round(database, threads, Math.max(1, workbench.scaled(TRANSACTIONS) / THREADS));
			PlainTransaction plain = PlainTransaction.of(queue.dataSource(), 1);
			PlainTransaction lean = PlainTransaction.lean(queue.dataSource(), 1);
			SpringTransaction spring = new SpringTransaction(queue, plain);
			QueueTransaction ours = new QueueTransaction(queue, 1);
			return result(workbench.alternate(Contender.floor(() -> round.measure(plain::commit)),
					new Contender(SPRING, () -> round.measure(spring)),
					new Contender(LEAN, () -> round.measure(lean::commit)),
					Contender.value(() -> round.measure(ours))));
		}
	}

	private static Result result(Samples samples) {
		double spring = samples.median(SPRING);
		return Result.of("jobs/s", samples)
			.with(SPRING, spring)
			.with("ratio_spring", samples.median("value") / spring)
			.beside(LEAN, samples);
	}

	/**
	 * Writes a business row and its jobs.
	 */
	@FunctionalInterface
	interface Transaction {

		void commit(int number) throws Exception;

	}

	/**
	 * Measures from empty tables.
	 *
	 * @param database the database
	 * @param threads the threads
	 * @param perThread how many transactions each of them does
	 */
	private record Round(BenchmarkDatabase database, Threads threads, int perThread) {

		double measure(Transaction transaction) throws Exception {
			this.database.removeJobs();
			this.database.execute(PlainSql.EMPTY_BUSINESS);
			this.database.execute(PlainSql.CREATE_LEAN);
			this.database.settle();
			return this.threads.rate((long) this.perThread * THREADS, (thread) -> transactions(transaction, thread));
		}

		private void transactions(Transaction transaction, int thread) throws Exception {
			for (int number = 0; number < this.perThread; number++) {
				transaction.commit(thread * this.perThread + number);
			}
		}

	}

}

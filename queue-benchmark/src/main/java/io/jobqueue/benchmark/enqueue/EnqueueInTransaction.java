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
 *
 * @param name the name of the scenario
 * @param measures what it measures
 * @param transactions how many transactions a round has
 * @param jobs how many jobs a transaction has
 * @param bar the ratio to reach
 */
public record EnqueueInTransaction(String name, String measures, int transactions, int jobs,
		double bar) implements Scenario {

	public static final String NO_WORKER = "jobqueue.worker.enabled=false";

	private static final int THREADS = 8;

	private static final String SPRING = "spring";

	static final String LEAN = "lean";

	/**
	 * Enqueue one job in each transaction.
	 * @return the scenario {@code enqueue-tx}
	 */
	public static EnqueueInTransaction single() {
		return new EnqueueInTransaction("enqueue-tx", "8 threads, a business row and a job in each transaction", 40_000,
				1, 0.92);
	}

	/**
	 * Enqueue 20 jobs in each transaction, in one call.
	 * @return the scenario {@code enqueue-many-tx}
	 */
	public static EnqueueInTransaction many() {
		return new EnqueueInTransaction("enqueue-many-tx",
				"8 threads, a business row and 20 jobs in each transaction, against one multi-row insert", 8_000, 20,
				0.85);
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", this.bar));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		database.execute(PlainSql.CREATE_BUSINESS);
		try (MeasuredQueue queue = MeasuredQueue.start(database, NO_WORKER); Threads threads = new Threads(THREADS)) {
			Round round = new Round(database, threads, Math.max(1, workbench.scaled(this.transactions) / THREADS));
			PlainTransaction plain = PlainTransaction.of(queue.dataSource(), this.jobs);
			PlainTransaction lean = PlainTransaction.lean(queue.dataSource(), this.jobs);
			SpringTransaction spring = new SpringTransaction(queue, plain);
			QueueTransaction ours = new QueueTransaction(queue, this.jobs);
			return result(workbench.alternate(Contender.floor(() -> round.measure(plain::commit, this.jobs)),
					new Contender(SPRING, () -> round.measure(spring, this.jobs)),
					new Contender(LEAN, () -> round.measure(lean::commit, this.jobs)),
					Contender.value(() -> round.measure(ours, this.jobs))));
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

		double measure(Transaction transaction, int jobs) throws Exception {
			this.database.removeJobs();
			this.database.execute(PlainSql.EMPTY_BUSINESS);
			this.database.execute(PlainSql.CREATE_LEAN);
			this.database.settle();
			return this.threads.rate((long) this.perThread * THREADS * jobs,
					(thread) -> transactions(transaction, thread));
		}

		private void transactions(Transaction transaction, int thread) throws Exception {
			for (int number = 0; number < this.perThread; number++) {
				transaction.commit(thread * this.perThread + number);
			}
		}

	}

}

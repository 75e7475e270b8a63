package io.jobqueue.benchmark.cold;

import java.util.List;
import java.util.stream.IntStream;

import io.jobqueue.benchmark.enqueue.SpringTransaction;
import io.jobqueue.benchmark.latency.LatencyProbe;
import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.plain.PlainJob;
import io.jobqueue.benchmark.plain.PlainPortion;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.plain.PlainTransaction;
import io.jobqueue.benchmark.plain.SpringListener;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Threads;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The tasks of an application without the queue, on {@code JdbcTemplate} and
 * {@code TransactionTemplate}.
 */
final class PlainTasks {

	private PlainTasks() {
	}

	static void create(BenchmarkDatabase database, int jobs) {
		PlainDrain.of(database, 1).create();
	}

	static void fill(BenchmarkDatabase database, int jobs) {
		create(database, jobs);
		PlainDrain.of(database, 1).fillUpTo(jobs);
	}

	static void empty(BenchmarkDatabase database) {
		database.execute(PlainSql.CREATE_BUSINESS);
		database.execute(PlainSql.EMPTY_BUSINESS);
		database.execute(PlainSql.CREATE_LEAN);
	}

	static ColdFigures drain(MeasuredQueue application, int jobs) throws Exception {
		JdbcTemplate jdbc = new JdbcTemplate(application.dataSource());
		Progress progress = new Progress(jobs);
		try (Threads threads = new Threads(PlainDrain.CONNECTIONS)) {
			return ColdFigures.of(threads.rate(jobs, (thread) -> drain(jdbc, progress)));
		}
	}

	private static void drain(JdbcTemplate jdbc, Progress progress) {
		while (!progress.isComplete()) {
			List<Long> ids = jdbc.query(PlainSql.CLAIM, (row, number) -> row.getLong("id"), PlainDrain.BATCH);
			progress.add(jdbc.update(PlainSql.DELETE, (Object) ids.toArray(Long[]::new)));
		}
	}

	static ColdFigures latency(MeasuredQueue application, int jobs) throws Exception {
		try (SpringListener listener = new SpringListener(application)) {
			return Delays.first(new LatencyProbe(listener::commit, listener::arrival), jobs);
		}
	}

	static ColdFigures idle(MeasuredQueue application, int seconds) throws Exception {
		try (SpringListener listener = new SpringListener(application)) {
			return Delays.afterIdling(new LatencyProbe(listener::commit, listener::arrival), seconds);
		}
	}

	static ColdFigures transactions(MeasuredQueue application, int transactions) throws Exception {
		SpringTransaction transaction = new SpringTransaction(application,
				PlainTransaction.of(application.dataSource(), 1));
		return Portions.transactions(transactions, transaction::commit);
	}

	static ColdFigures leanTransactions(MeasuredQueue application, int transactions) throws Exception {
		SpringTransaction transaction = new SpringTransaction(application,
				PlainTransaction.lean(application.dataSource(), 1));
		return Portions.transactions(transactions, transaction::commit);
	}

	static ColdFigures businessTransactions(MeasuredQueue application, int transactions) throws Exception {
		TransactionTemplate transaction = application.transaction();
		JdbcTemplate jdbc = new JdbcTemplate(application.dataSource());
		return Portions.transactions(transactions, (number) -> transaction
			.executeWithoutResult((status) -> jdbc.update(PlainSql.INSERT_BUSINESS, "customer " + number)));
	}

	static ColdFigures bulk(MeasuredQueue application, int jobs) throws Exception {
		return Portions.bulk(jobs, (from, to) -> PlainPortion.insert(application.dataSource(), jobs(from, to)));
	}

	static ColdFigures leanBulk(MeasuredQueue application, int jobs) throws Exception {
		return Portions.bulk(jobs, (from, to) -> PlainPortion.insertLean(application.dataSource(), jobs(from, to)));
	}

	private static List<PlainJob> jobs(int from, int to) {
		return IntStream.range(from, to).mapToObj(PlainJob::of).toList();
	}

}

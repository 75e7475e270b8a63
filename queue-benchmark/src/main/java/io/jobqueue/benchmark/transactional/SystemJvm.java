package io.jobqueue.benchmark.transactional;

import java.io.IOException;
import java.util.List;

import org.springframework.util.Assert;

import io.jobqueue.benchmark.plain.PlainHandling;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.subject.OtherJvm;

/**
 * A system that drains twice: when its JVM is fresh, and when it is warm. Each job must
 * have inserted its row once.
 */
final class SystemJvm {

	private static final String RATE = "rate ";

	private SystemJvm() {
	}

	/**
	 * Start a JVM, let it drain twice, and wait for its end.
	 * @param system the system
	 * @param database the database
	 * @param jobs how many jobs each drain has
	 * @return the rates
	 */
	static Rates measure(Kind system, BenchmarkDatabase database, int jobs) throws IOException, InterruptedException {
		try (OtherJvm jvm = OtherJvm.start(List.of(), SystemJvm.class, system.name(), database.url(),
				String.valueOf(jobs))) {
			Rates rates = new Rates(rate(jvm), rate(jvm));
			jvm.end();
			return rates;
		}
	}

	/**
	 * Let a system drain twice in this JVM.
	 * @param system the system
	 * @param database the database
	 * @param jobs how many jobs each drain has
	 * @return the rates
	 */
	static Rates measureHere(Kind system, BenchmarkDatabase database, int jobs) throws Exception {
		try (MeasuredSystem started = system.start(database)) {
			return new Rates(drain(started, database, jobs), drain(started, database, jobs));
		}
	}

	private static double rate(OtherJvm jvm) {
		return Double.parseDouble(jvm.await(RATE));
	}

	/**
	 * Drain twice, and print the rates.
	 * @param args the system, the JDBC URL of the database and the number of jobs
	 * @throws Exception if that fails
	 */
	public static void main(String[] args) throws Exception {
		Rates rates = measureHere(Kind.valueOf(args[0]), BenchmarkDatabase.at(args[1]), Integer.parseInt(args[2]));
		System.out.println(RATE + rates.fresh());
		System.out.println(RATE + rates.warm());
	}

	private static double drain(MeasuredSystem system, BenchmarkDatabase database, int jobs) throws Exception {
		database.execute(PlainSql.EMPTY_BUSINESS);
		system.fill(jobs);
		database.settle();
		double rate = system.drain(jobs);
		int rows = database.sql().sql(PlainSql.COUNT_BUSINESS).query(Integer.class).single();
		Assert.state(rows == jobs, () -> "%s jobs inserted %s rows".formatted(jobs, rows));
		return rate;
	}

	/**
	 * The systems.
	 */
	enum Kind {

		JDBC {
			@Override
			MeasuredSystem start(BenchmarkDatabase database) {
				return QueueSystem.of(database, JdbcPurchases.class);
			}
		},

		JPA {
			@Override
			MeasuredSystem start(BenchmarkDatabase database) {
				return QueueSystem.of(database, JpaApplication.class);
			}
		},

		SHARED {
			@Override
			MeasuredSystem start(BenchmarkDatabase database) {
				return QueueSystem.of(database, JdbcPurchases.class, Purchases.SHARED);
			}
		},

		PLAIN {
			@Override
			MeasuredSystem start(BenchmarkDatabase database) {
				return new PlainHandling(database, Purchases.CONNECTIONS);
			}
		},

		OUTBOX {
			@Override
			MeasuredSystem start(BenchmarkDatabase database) {
				return OutboxSystem.of(database);
			}
		};

		abstract MeasuredSystem start(BenchmarkDatabase database);

	}

	/**
	 * The rates of one JVM, in jobs per second.
	 *
	 * @param fresh the rate of the first drain
	 * @param warm the rate of the second one
	 */
	record Rates(double fresh, double warm) {

	}

	/**
	 * Measures a system.
	 */
	@FunctionalInterface
	interface Measurement {

		Rates measure(Kind system, BenchmarkDatabase database, int jobs) throws Exception;

	}

}

package io.jobqueue.benchmark.transactional;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainHandling;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.transactional.SystemJvm.Kind;
import io.jobqueue.benchmark.transactional.SystemJvm.Measurement;
import io.jobqueue.benchmark.transactional.SystemJvm.Rates;

/**
 * How many transactional jobs a second one process runs, each of which inserts one
 * business row: from the start of its worker until the last outcome is recorded.
 * <p>
 * In each round every system has a JVM of its own, whose first drain is the fresh one and
 * whose second drain the warm one. Ratios are medians over the rounds of the ratio within
 * a round.
 */
public final class Transactional implements Scenario {

	private static final int JOBS = 50_000;

	private static final String QUEUE = "value";

	private static final String PLAIN = "floor";

	private static final String JPA = "jpa";

	private static final String SHARED = "shared";

	private static final String OUTBOX = "outbox";

	private static final double PLAIN_BAR = 0.75;

	private static final double JPA_BAR = 0.6;

	private static final double OUTBOX_BAR = 1.5;

	private static final double SHARED_BAR = 4;

	private final Measurement measurement;

	/**
	 * Measure each system in a JVM of its own.
	 */
	public Transactional() {
		this(SystemJvm::measure);
	}

	Transactional(Measurement measurement) {
		this.measurement = measurement;
	}

	/**
	 * Start an application of the queue with a transactional handler.
	 * @param database the database, with the table of the business
	 * @return the system
	 */
	public static MeasuredSystem queue(BenchmarkDatabase database) {
		return QueueSystem.of(database, JdbcPurchases.class);
	}

	/**
	 * Return plain SQL that does the same on as many connections.
	 * @param database the database, with the table of the business
	 * @return the system
	 */
	public static MeasuredSystem plain(BenchmarkDatabase database) {
		return new PlainHandling(database, Purchases.CONNECTIONS);
	}

	@Override
	public String name() {
		return "transactional";
	}

	@Override
	public String measures() {
		return "50,000 transactional jobs that insert a row each, 15 at a time, in a warm JVM and a fresh one, beside plain SQL and transaction-outbox";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", PLAIN_BAR), Bar.atLeast("jpa_ratio", JPA_BAR),
				Bar.atLeast("outbox_ratio", OUTBOX_BAR), Bar.atLeast("shared_ratio", SHARED_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		workbench.database().execute(PlainSql.CREATE_BUSINESS);
		Samples fresh = new Samples();
		Samples warm = workbench.alternateAtOnce(contender(QUEUE, Kind.JDBC, workbench, fresh),
				contender(SHARED, Kind.SHARED, workbench, fresh), contender(JPA, Kind.JPA, workbench, fresh),
				contender(OUTBOX, Kind.OUTBOX, workbench, fresh), contender(PLAIN, Kind.PLAIN, workbench, fresh));
		return with(with(Result.in("jobs/s"), "", warm), "fresh_", fresh);
	}

	private Contender contender(String name, Kind system, Workbench workbench, Samples fresh) {
		return new Contender(name, () -> {
			Rates rates = this.measurement.measure(system, workbench.database(), workbench.scaled(JOBS));
			fresh.add(name, rates.fresh());
			return rates.warm();
		});
	}

	private static Result with(Result result, String prefix, Samples samples) {
		return result.with(prefix + QUEUE, samples.median(QUEUE))
			.with(prefix + PLAIN, samples.median(PLAIN))
			.with(prefix + "ratio", samples.ratio(QUEUE, PLAIN))
			.with(prefix + JPA, samples.median(JPA))
			.with(prefix + "jpa_ratio", samples.ratio(JPA, QUEUE))
			.with(prefix + OUTBOX, samples.median(OUTBOX))
			.with(prefix + "outbox_ratio", samples.ratio(QUEUE, OUTBOX))
			.with(prefix + SHARED, samples.median(SHARED))
			.with(prefix + "shared_ratio", samples.ratio(SHARED, OUTBOX));
	}

}

package io.jobqueue.benchmark.transactional;

import com.gruelbox.transactionoutbox.TransactionOutbox;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Rate;

/**
 * The library transaction-outbox, which runs a handler in the transaction that deletes
 * its entry. It has no archive.
 *
 * @param database the database
 * @param application the application
 */
record OutboxSystem(BenchmarkDatabase database, ConfigurableApplicationContext application) implements MeasuredSystem {

	private static final String EMPTY = """
			TRUNCATE txno_outbox
			""";

	/**
	 * Entries as a schedule writes them, which are due for longer than any time zone is
	 * wide: their times have none.
	 */
	private static final String FILL = """
			INSERT INTO txno_outbox (id, invocation, nextattempttime, attempts, blocked, processed, version)
			SELECT gen_random_uuid(), '{"c":"%s","m":"insert","p":["long"],"a":[{"t":"Long","v":' || n || '}]}',
			       now() - interval '2 days', 0, false, false, 0
			FROM generate_series(1, ?) n
			""".formatted(OutboxApplication.HANDLER);

	private static final String ANY_LEFT = """
			SELECT EXISTS (SELECT 1 FROM txno_outbox)
			""";

	static OutboxSystem of(BenchmarkDatabase database) {
		return new OutboxSystem(database,
				new SpringApplicationBuilder(OutboxApplication.class).web(WebApplicationType.NONE)
					.properties("spring.datasource.url=" + database.url(), Purchases.POOL, "jobqueue.enabled=false",
							"spring.main.banner-mode=off")
					.run());
	}

	@Override
	public void fill(int jobs) {
		this.database.execute(EMPTY);
		this.database.sql().sql(FILL).param(jobs).update();
	}

	@Override
	public double drain(int jobs) throws Exception {
		Progress progress = Progress.of(jobs);
		this.application.getBean(Purchases.class).onPurchase((number) -> progress.add(1));
		TransactionOutbox outbox = this.application.getBean(TransactionOutbox.class);
		long start = System.nanoTime();
		boolean flushed = outbox.flush();
		while (flushed) {
			flushed = outbox.flush();
		}
		progress.await();
		awaitNone();
		return Rate.of(jobs, start);
	}

	private void awaitNone() throws InterruptedException {
		while (this.database.sql().sql(ANY_LEFT).query(Boolean.class).single()) {
			Thread.sleep(1);
		}
	}

	@Override
	public void close() {
		this.application.close();
	}

}

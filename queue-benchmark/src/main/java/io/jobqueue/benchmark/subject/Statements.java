package io.jobqueue.benchmark.subject;

import java.time.Duration;

import io.jobqueue.benchmark.timing.Rate;

/**
 * How many statements the server gets in a second, by {@code pg_stat_statements}. Those
 * that begin and end transactions travel with others and do not count.
 *
 * @param all all of them
 * @param looks those that look for jobs: they read live jobs, and unlike the reaper's
 * write no finished ones
 */
public record Statements(double all, double looks) {

	private static final String RESET = """
			SELECT pg_stat_statements_reset()
			""";

	private static final String COUNT = """
			SELECT coalesce(sum(calls), 0) AS every,
			       coalesce(sum(calls) FILTER (WHERE query LIKE '%jobqueue_job%' AND query NOT LIKE '%jobqueue_archive%'),
			                0) AS looks
			FROM pg_stat_statements
			WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
			  AND query ~* '^\\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\\M'
			  AND query NOT LIKE '%pg\\_stat%'
			""";

	/**
	 * Count for a while.
	 * @param database the database, whose server must have loaded the library
	 * @param time how long
	 * @return statements per second
	 */
	public static Statements during(BenchmarkDatabase database, Duration time) throws InterruptedException {
		database.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
		database.sql().sql(RESET).query().listOfRows();
		long start = System.nanoTime();
		Thread.sleep(time.toMillis());
		return database.sql()
			.sql(COUNT)
			.query((row, number) -> new Statements(Rate.of(row.getLong("every"), start),
					Rate.of(row.getLong("looks"), start)))
			.single();
	}

}

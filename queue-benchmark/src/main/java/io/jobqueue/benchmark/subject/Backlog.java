package io.jobqueue.benchmark.subject;

import java.time.Duration;

import io.jobqueue.Priority;

/**
 * Rows that equal those of enqueued no-op jobs, written by the server itself: millions of
 * them within a minute.
 *
 * @param queue the queue
 * @param priority the priority
 * @param dueIn when they are due, counted from now
 */
public record Backlog(String queue, Priority priority, Duration dueIn) {

	/**
	 * No-op jobs that are due.
	 */
	public static final Backlog DUE = new Backlog(NoOps.QUEUE, Priority.USER_VISIBLE, Duration.ZERO);

	/**
	 * No-op jobs that are due tomorrow, in a priority that beats the due ones.
	 */
	public static final Backlog TOMORROW = new Backlog(NoOps.QUEUE, Priority.INTERACTIVE, Duration.ofDays(1));

	/**
	 * Add rows, all or none of them, to a table that must exist, without a wake-up.
	 * @param database the database
	 * @param jobs how many
	 */
	public void fill(BenchmarkDatabase database, int jobs) {
		database.sql()
			.sql(QueueSql.FILL)
			.param(this.queue)
			.param("NoOp")
			.param(this.priority.value())
			.param(this.dueIn.toSeconds())
			.param(jobs)
			.update();
	}

	/**
	 * Add as many as are missing.
	 * @param database the database
	 * @param jobs how many there shall be
	 */
	public void fillUpTo(BenchmarkDatabase database, int jobs) {
		int missing = jobs - count(database);
		if (missing > 0) {
			fill(database, missing);
		}
	}

	private int count(BenchmarkDatabase database) {
		return database.sql()
			.sql(QueueSql.COUNT)
			.param(this.queue)
			.param(this.priority.value())
			.query(Integer.class)
			.single();
	}

}

package io.jobqueue.performance;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;

/**
 * What jobs with keys cost, beside the same jobs without. How long they take is for
 * information: it depends on the machine, and on what else that does.
 */
@Tag("alone") // compares times
@Tag("slow") // drains several times
class KeyedDrainGateTests extends GateTestBase {

	private static final int JOBS = 5_000;

	private static final int ROUNDS = 3;

	@BeforeAll
	void warmUp() {
		seconds(Keys.NONE);
		seconds(Keys.FEW);
	}

	/**
	 * The bars are far below what is measured: a machine that is busy with other things
	 * must not fail here.
	 */
	@Test
	void timeBesideJobsWithoutKeys() {
		Map<Keys, Double> best = new EnumMap<>(Keys.class);
		for (int round = 0; round < ROUNDS; round++) {
			for (Keys keys : Keys.values()) {
				best.merge(keys, seconds(keys), Math::min);
			}
		}
		double plain = best.get(Keys.NONE);
		Gate.atLeast(0.1, plain / best.get(Keys.OWN), "Rate of jobs with an ordering key each, of that without");
		Gate.atLeast(0.03, plain / best.get(Keys.FEW), "Rate of jobs with 100 ordering keys, of that without");
		Gate.atLeast(0.1, plain / best.get(Keys.SLOTS),
				"Rate of jobs with 100 limit keys and no limit, of that without");
	}

	/**
	 * Each is admitted by one update, and claimed by another one that touches no index.
	 * The best round counts: while a statement is held up on a busy machine, its snapshot
	 * keeps dead rows in the pages.
	 */
	@Test
	void updates() {
		double most = 0;
		for (int round = 0; round < ROUNDS; round++) {
			most = Math.max(most, hotUpdates());
		}
		Gate.atLeast(0.95, most, "HOT updates per job with a key");
	}

	private double hotUpdates() {
		this.handled.set(0);
		enqueue(JOBS, Keys.OWN::request);
		endSessions();
		this.figures.reset();
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		await().until(() -> this.figures.ofJobTable("n_tup_del") == JOBS);
		Gate.atMost(2.01, this.figures.ofJobTable("n_tup_upd") / (double) JOBS, "Updates per job with a key");
		return this.figures.ofJobTable("n_tup_hot_upd") / (double) JOBS;
	}

	private double seconds(Keys keys) {
		this.handled.set(0);
		enqueue(JOBS, keys::request);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		long start = System.nanoTime();
		drain(usual(Duration.ZERO), JOBS);
		return (System.nanoTime() - start) / 1e9;
	}

	private enum Keys {

		NONE, OWN, FEW, SLOTS;

		JobRequest request(int number) {
			JobRequest mail = JobRequest.of("emails", new Mail("hello"));
			return switch (this) {
				case NONE -> mail;
				case OWN -> mail.orderedBy("key " + number);
				case FEW -> mail.orderedBy("key " + number % 100);
				case SLOTS -> mail.limitedBy("key " + number % 100);
			};
		}

	}

}

package io.jobqueue.performance;

import java.time.Duration;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;

/**
 * What jobs with keys cost, beside the same jobs without.
 */
@Tag("slow") // drains several times
class KeyedDrainGateTests extends GateTestBase {

	private static final int JOBS = 5_000;

	private static final int ROUNDS = 3;

	/**
	 * Code that is not compiled yet hands over few jobs at a time.
	 */
	@BeforeAll
	void warmUp() {
		buffers(Keys.NONE);
		buffers(Keys.FEW);
	}

	/**
	 * The fewer jobs a claim finds, the more it reads for each: a busy machine must not
	 * fail here.
	 */
	@Test
	void buffersBesideJobsWithoutKeys() {
		double plain = buffers(Keys.NONE);
		Gate.note(plain / JOBS, "Buffers per job without a key");
		Gate.atMost(7, buffers(Keys.OWN) / plain, "Buffers per job with an ordering key each, of those without");
		Gate.atMost(16, buffers(Keys.FEW) / plain, "Buffers per job with 100 ordering keys, of those without");
		Gate.atMost(5, buffers(Keys.SLOTS) / plain,
				"Buffers per job with 100 limit keys and no limit, of those without");
	}

	private double buffers(Keys keys) {
		this.handled.set(0);
		enqueue(JOBS, keys::request);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		this.figures.reset();
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		return this.figures.buffers("");
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
		awaitDeletions(JOBS);
		Gate.atMost(2.1, this.figures.ofJobTable("n_tup_upd") / (double) JOBS, "Updates per job with a key");
		return this.figures.ofJobTable("n_tup_hot_upd") / (double) JOBS;
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

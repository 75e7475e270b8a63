package io.jobqueue.gates;

import java.time.Duration;
import java.util.function.IntFunction;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;

/**
 * What jobs with keys cost, beside the same jobs without. How long they take is for
 * information: it depends on the machine, and on what else that does.
 */
class KeyedDrainGateTests extends GateTestBase {

	private static final int JOBS = 10_000;

	private static final int ROUNDS = 3;

	private static JobRequest plain(int number) {
		return mail();
	}

	private static JobRequest ownKey(int number) {
		return mail().orderedBy("key " + number);
	}

	private static JobRequest fewKeys(int number) {
		return mail().orderedBy("key " + number % 100);
	}

	private static JobRequest slots(int number) {
		return mail().limitedBy("key " + number % 100);
	}

	private static JobRequest mail() {
		return JobRequest.of("emails", new Mail("hello"));
	}

	@BeforeAll
	void warmUp() {
		seconds(KeyedDrainGateTests::plain);
		seconds(KeyedDrainGateTests::fewKeys);
	}

	@Test
	void timeBesideJobsWithoutKeys() {
		double[] best = { Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE };
		for (int round = 0; round < ROUNDS; round++) {
			best[0] = Math.min(best[0], seconds(KeyedDrainGateTests::plain));
			best[1] = Math.min(best[1], seconds(KeyedDrainGateTests::ownKey));
			best[2] = Math.min(best[2], seconds(KeyedDrainGateTests::fewKeys));
			best[3] = Math.min(best[3], seconds(KeyedDrainGateTests::slots));
		}
		Gate.note(JOBS / best[0], "Jobs per second without keys");
		Gate.note(best[0] / best[1], "Rate of jobs with an ordering key each, of that without");
		Gate.note(best[0] / best[2], "Rate of jobs with 100 ordering keys, of that without");
		Gate.note(best[0] / best[3], "Rate of jobs with 100 limit keys and no limit, of that without");
	}

	/**
	 * Each is admitted by one update, and claimed by another one that touches no index.
	 */
	@Test
	void updates() {
		enqueue(JOBS, KeyedDrainGateTests::ownKey);
		endSessions();
		this.figures.reset();
		drain(usual(Duration.ZERO), JOBS);
		endSessions();
		await().until(() -> this.figures.ofJobTable("n_tup_del") == JOBS);
		Gate.atMost(2.01, this.figures.ofJobTable("n_tup_upd") / (double) JOBS, "Updates per job with a key");
		Gate.atLeast(0.95, this.figures.ofJobTable("n_tup_hot_upd") / (double) JOBS, "HOT updates per job with a key");
	}

	private double seconds(IntFunction<JobRequest> request) {
		this.handled.set(0);
		enqueue(JOBS, request);
		this.sql.sql("VACUUM ANALYZE jobqueue_job").update();
		long start = System.nanoTime();
		drain(usual(Duration.ZERO), JOBS);
		return (System.nanoTime() - start) / 1e9;
	}

}

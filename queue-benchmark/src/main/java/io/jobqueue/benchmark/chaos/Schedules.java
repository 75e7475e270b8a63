package io.jobqueue.benchmark.chaos;

import java.time.Duration;
import java.util.List;

import io.jobqueue.JobRequest;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Three schedules with a tick each second: one is declared by the workers, one is saved
 * at run time, and one has the default policies, which skip ticks. The jobs of the other
 * two are exactly as many as their ticks.
 */
final class Schedules {

	static final String DECLARED = "tick-declared";

	static final String SAVED = "tick-saved";

	static final String DEFAULTS = "tick-defaults";

	private static final Duration RATE = Duration.ofSeconds(1);

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final int MAX_ATTEMPTS = 60;

	private static final Logger logger = LoggerFactory.getLogger(Schedules.class);

	private final RecurringJobs jobs;

	Schedules(RecurringJobs jobs) {
		this.jobs = jobs;
	}

	/**
	 * Save those that are not declared. Their jobs are found by their group.
	 */
	void save() {
		this.jobs.save(schedule(SAVED).misfire(Misfire.ALL).overlap(Overlap.ALLOW));
		this.jobs.save(schedule(DEFAULTS));
	}

	private static RecurringJobRequest schedule(String name) {
		return RecurringJobRequest.of(name, JobRequest.of(Errands.QUEUE, new Tick(name)).group(name)).fixedRate(RATE);
	}

	/**
	 * End their ticks. The server may still recover from the last fault.
	 */
	void pause() throws InterruptedException {
		for (String name : List.of(DECLARED, SAVED, DEFAULTS)) {
			for (int attempt = 1; !tryPause(name, attempt); attempt++) {
				Thread.sleep(PAUSE.toMillis());
			}
		}
	}

	private boolean tryPause(String name, int attempt) {
		try {
			this.jobs.pause(name);
			return true;
		}
		catch (DataAccessException | TransactionException ex) {
			if (attempt == MAX_ATTEMPTS) {
				throw ex;
			}
			logger.debug("Could not pause {}", name, ex);
			return false;
		}
	}

}

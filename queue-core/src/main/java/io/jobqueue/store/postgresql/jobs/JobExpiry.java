package io.jobqueue.store.postgresql.jobs;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;

import io.jobqueue.store.FailureText;
import io.jobqueue.store.MaintenanceStore.ExpiryResult;
import io.jobqueue.store.postgresql.jobs.JobEndings.UnclaimedEndings;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Finds and ends the jobs that have expired. If the database refuses the statement, they
 * are ended one by one, so that a row that cannot be written does not block the others.
 */
final class JobExpiry {

	private static final Logger logger = LoggerFactory.getLogger(JobExpiry.class);

	private final Set<UUID> refused = ConcurrentHashMap.newKeySet();

	private final QueueTransaction own;

	private final AdmissionControl admissionControl;

	private final Schema schema;

	JobExpiry(QueueTransaction own, AdmissionControl admissionControl, Schema schema) {
		this.own = own;
		this.admissionControl = admissionControl;
		this.schema = schema;
	}

	private static final String FIND = """
			SELECT id, queue FROM jobqueue_job
			WHERE expires_at <= statement_timestamp() AND locked_by IS NULL
			ORDER BY expires_at
			LIMIT ?
			""";

	Map<UUID, String> find(int limit) {
		Map<UUID, String> found = new HashMap<>();
		this.own
			.run(QueueTransaction.BEGIN, List.of(new Step(this.schema.in(FIND), (parameters) -> parameters.value(limit),
					Answer.ofEachRow((row) -> found.put(row.getObject("id", UUID.class), row.getString("queue"))))));
		return found;
	}

	ExpiryResult end(Map<UUID, @Nullable Duration> jobs) {
		UnclaimedEndings ended = new UnclaimedEndings();
		try {
			end(jobs, ended);
		}
		catch (DataAccessException ex) {
			JobReaper.requireRefusal(ex);
			jobs.forEach((job, keep) -> endOne(job, keep, ended));
		}
		ended.releaseKeys(this.admissionControl);
		return new ExpiryResult(ended.jobs(), ended.available());
	}

	private void end(Map<UUID, @Nullable Duration> jobs, UnclaimedEndings ended) {
		this.own.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, List.of(ended.stepForExpired(this.schema, jobs)));
	}

	private void endOne(UUID job, @Nullable Duration keep, UnclaimedEndings ended) {
		try {
			end(Collections.singletonMap(job, keep), ended);
		}
		catch (DataAccessException ex) {
			JobReaper.requireRefusal(ex);
			logger.atLevel(this.refused.add(job) ? Level.ERROR : Level.DEBUG)
				.log("Could not cancel job {}, which has expired; will retry: {}", job, FailureText.of(ex));
		}
	}

}

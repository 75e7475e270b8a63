package io.jobqueue.store.postgresql.jobs;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import io.jobqueue.store.MaintenanceStore.CancelResult;
import io.jobqueue.store.postgresql.jobs.JobEndings.EndedJobs;
import io.jobqueue.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Finds and cancels the unclaimed jobs that have expired or have a cancel request. If the
 * database refuses the statement, each job is cancelled alone.
 */
final class UnclaimedCancels {

	private final RefusedRows refused = new RefusedRows();

	private final QueueTransaction own;

	private final AdmissionControl admissionControl;

	UnclaimedCancels(QueueTransaction own, AdmissionControl admissionControl) {
		this.own = own;
		this.admissionControl = admissionControl;
	}

	private static final String FIND = """
			(SELECT id, queue FROM jobqueue_job
			 WHERE expires_at <= statement_timestamp() AND locked_by IS NULL
			 ORDER BY expires_at
			 LIMIT ?)
			UNION
			(SELECT id, queue FROM jobqueue_job
			 WHERE cancel_requested AND locked_by IS NULL
			 ORDER BY id
			 LIMIT ?)
			""";

	Map<UUID, String> find(int limit) {
		Map<UUID, String> found = new HashMap<>();
		this.own.run(QueueTransaction.BEGIN,
				List.of(new Step(FIND, (parameters) -> parameters.value(limit).value(limit),
						(row) -> found.put(row.getObject("id", UUID.class), row.getString("queue")))));
		return found;
	}

	CancelResult cancel(Map<UUID, @Nullable Duration> jobs) {
		EndedJobs ended = new EndedJobs();
		try {
			cancel(jobs, ended);
		}
		catch (DataAccessException ex) {
			RefusedRows.require(ex);
			jobs.forEach((job, keep) -> cancelOne(job, keep, ended));
		}
		ended.releaseKeys(this.admissionControl);
		return new CancelResult(ended.jobs(), ended.available());
	}

	private void cancel(Map<UUID, @Nullable Duration> jobs, EndedJobs ended) {
		this.own.run(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, List.of(ended.step(JobEndings.CANCEL_UNCLAIMED, jobs)));
	}

	private void cancelOne(UUID job, @Nullable Duration keep, EndedJobs ended) {
		try {
			cancel(Collections.singletonMap(job, keep), ended);
		}
		catch (DataAccessException ex) {
			this.refused.log(ex, "The reaper could not cancel job " + job);
		}
	}

}

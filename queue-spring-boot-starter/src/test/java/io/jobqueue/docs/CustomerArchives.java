package io.jobqueue.docs;

import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobState;

/**
 * Archives that customers order, watch and cancel.
 */
@Component
class CustomerArchives {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	private final JobOperations operations;

	CustomerArchives(JdbcClient jdbc, JobQueue jobQueue, JobOperations operations) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
		this.operations = operations;
	}

	@Transactional
	UUID order(long customerId, ArchiveWanted wanted) {
		UUID jobId = this.jobQueue.enqueue(wanted).id();
		this.jdbc.sql("INSERT INTO archive_order (job_id, customer_id) VALUES (?, ?)")
			.params(jobId, customerId)
			.update();
		return jobId;
	}

	Optional<Status> status(long customerId, UUID jobId) {
		return isOf(customerId, jobId) ? this.operations.find(jobId).map(Status::of) : Optional.empty();
	}

	CancelOutcome cancel(long customerId, UUID jobId) {
		return isOf(customerId, jobId) ? this.operations.cancel(jobId) : CancelOutcome.UNKNOWN;
	}

	private boolean isOf(long customerId, UUID jobId) {
		return this.jdbc.sql("SELECT count(*) FROM archive_order WHERE job_id = ? AND customer_id = ?")
			.params(jobId, customerId)
			.query(Integer.class)
			.single() == 1;
	}

	/**
	 * What a customer sees of an order.
	 */
	record Status(JobState state, int percent) {

		static Status of(JobInfo job) {
			Progress progress = Objects.requireNonNull(job.details()).progress();
			return new Status(job.state(), (progress != null) ? progress.percent() : 0);
		}

	}

}

package io.jobqueue.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

import io.jobqueue.Explanation;
import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.JobPage;
import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.Priority;

/**
 * What people who look after jobs do.
 */
@Component
class Operators {

	private final JobOperations operations;

	Operators(JobOperations operations) {
		this.operations = operations;
	}

	Optional<JobInfo> holder(String key) {
		return this.operations.findByKey("emails", key);
	}

	void printErrors() {
		JobQuery query = JobQuery.all().queue("emails").states(JobState.RETRYING, JobState.DEAD).error("timeout");
		JobPage page = this.operations.list(query);
		page.jobs().forEach(this::print);
		while (page.next() != null) {
			page = this.operations.list(query.after(page.next()));
			page.jobs().forEach(this::print);
		}
	}

	private void print(JobInfo job) {
		System.out.println(job + " " + job.details());
	}

	long dead() {
		return this.operations.stats("emails").count(JobState.DEAD);
	}

	String tryAgain(UUID jobId) {
		try {
			this.operations.retry(jobId);
			return "It runs again";
		}
		catch (JobOperationException ex) {
			return ex.getMessage();
		}
	}

	String why(UUID jobId) {
		Explanation why = this.operations.explain(jobId);
		return why.remedy().isEmpty() ? why.sentence() : why.sentence() + ". What to do: " + why.remedy();
	}

	void tryHere(UUID jobId) throws Exception {
		this.operations.runHere(jobId);
	}

	void postpone(UUID jobId) {
		this.operations.reschedule(jobId, Instant.now().plus(Duration.ofHours(1)));
		this.operations.reprioritise(jobId, Priority.REPORTING);
	}

	long tryAllAgain() {
		return this.operations.bulk().retry(JobQuery.all().queue("emails").error("timeout"));
	}

	long replaySince(Instant time) {
		return this.operations.bulk()
			.replay(JobQuery.all().queue("emails").states(JobState.SUCCEEDED).finishedFrom(time));
	}

	void resumeMails() {
		this.operations.because("the mail server is back").resume("emails");
	}

	void deploy(Runnable deployment) {
		this.operations.pause("emails", "ConfirmationEmail");
		try {
			deployment.run();
		}
		finally {
			this.operations.resume("emails", "ConfirmationEmail");
		}
	}

}

package io.jobqueue.operations;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobOperations;

/**
 * Notes what operators do, and who they are: a line each, whose values a structured log
 * has as {@code job.operation}, {@code job.subject}, {@code job.affected} and
 * {@code job.operator}.
 */
final class OperatorLog {

	private static final Logger logger = LoggerFactory.getLogger(JobOperations.class);

	private final CurrentUser user;

	OperatorLog(CurrentUser user) {
		this.user = user;
	}

	@Nullable String user() {
		return this.user.name();
	}

	/**
	 * Note an operation.
	 * @param operation what was done
	 * @param subject what it was done to, without anything confidential
	 * @param affected how many jobs that changed
	 */
	void done(String operation, Object subject, long affected) {
		String operator = this.user.name();
		logger.atInfo()
			.addKeyValue("job.operation", operation)
			.addKeyValue("job.subject", subject)
			.addKeyValue("job.affected", affected)
			.addKeyValue("job.operator", operator)
			.log("{} {}: {} affected, by {}", operation, subject, affected, (operator != null) ? operator : "unknown");
	}

	/**
	 * Note an operation that is about no job.
	 * @param operation what was done
	 * @param subject what it was done to
	 */
	void done(String operation, Object subject) {
		String operator = this.user.name();
		logger.atInfo()
			.addKeyValue("job.operation", operation)
			.addKeyValue("job.subject", subject)
			.addKeyValue("job.operator", operator)
			.log("{} {}, by {}", operation, subject, (operator != null) ? operator : "unknown");
	}

}

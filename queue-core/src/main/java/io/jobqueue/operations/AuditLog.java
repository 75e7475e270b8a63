package io.jobqueue.operations;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import io.jobqueue.JobOperations;
import io.jobqueue.logging.LogText;

/**
 * Notes what operators do, and who they are: a line each, whose values a structured log
 * has as {@code job.operation}, {@code job.value}, {@code job.subject},
 * {@code job.affected} and {@code job.operator}.
 */
final class AuditLog {

	private static final Logger logger = LoggerFactory.getLogger(JobOperations.class);

	private final CurrentUser user;

	AuditLog(CurrentUser user) {
		this.user = user;
	}

	/**
	 * What was done is done, whoever cannot be named.
	 */
	@Nullable String user() {
		try {
			return this.user.name();
		}
		catch (Throwable ex) {
			logger.warn("Could not determine the current user; the operator is logged as unknown", ex);
			return null;
		}
	}

	/**
	 * Note an operation.
	 * @param operation what was done
	 * @param subject what it was done to, without anything confidential
	 * @param affected how many jobs that changed
	 */
	void done(Operation operation, Object subject, long affected) {
		log(operation, subject, ": %d affected".formatted(affected), line(operation, affected));
	}

	/**
	 * Note an operation of which nobody counts the jobs.
	 * @param operation what was done
	 * @param subject what it was done to
	 */
	void done(Operation operation, Object subject) {
		log(operation, subject, "", line(operation, null));
	}

	private static LoggingEventBuilder line(Operation operation, @Nullable Long affected) {
		LoggingEventBuilder line = logger.atInfo().addKeyValue("job.operation", operation.name());
		if (operation.value() != null) {
			line = line.addKeyValue("job.value", operation.value().toString());
		}
		return (affected != null) ? line.addKeyValue("job.affected", affected) : line;
	}

	private void log(Operation operation, Object subject, String result, LoggingEventBuilder line) {
		String what = LogText.escaped(subject);
		String name = user();
		String operator = (name != null) ? LogText.escaped(name) : null;
		line.addKeyValue("job.subject", what)
			.addKeyValue("job.operator", operator)
			.log("{} {}{}{}, by {}", operation.name(), what, operation.change(), result,
					(operator != null) ? operator : "unknown");
	}

}

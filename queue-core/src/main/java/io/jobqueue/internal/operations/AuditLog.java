package io.jobqueue.internal.operations;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import io.jobqueue.internal.logging.LogText;

/**
 * Logs each operation with the name of its user in one line. Structured logs contain the
 * values as {@code job.operation}, {@code job.value}, {@code job.subject},
 * {@code job.affected} and {@code job.operator}.
 */
public final class AuditLog {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.operations");

	private final CurrentUser user;

	/**
	 * Create a log.
	 * @param user returns the user to log with an operation
	 */
	public AuditLog(CurrentUser user) {
		this.user = user;
	}

	/**
	 * Return the name of the user, {@code null} if it is unknown or cannot be determined.
	 * A failure is only logged because the operation was already done.
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
	 * Log an operation.
	 * @param operation the operation
	 * @param subject the job, queue or query, without confidential values
	 * @param affected the number of changed jobs
	 */
	void done(Operation operation, Object subject, long affected) {
		log(operation, subject, Long.valueOf(affected));
	}

	/**
	 * Log an operation that does not count jobs.
	 * @param operation the operation
	 * @param subject the job or queue
	 */
	public void done(Operation operation, Object subject) {
		log(operation, subject, null);
	}

	private void log(Operation operation, Object subject, @Nullable Long affected) {
		String what = LogText.escaped(subject);
		String name = user();
		String operator = (name != null) ? LogText.escaped(name) : null;
		LoggingEventBuilder line = logger.atInfo().addKeyValue("job.operation", operation.name());
		String change = "";
		if (operation.value() != null) {
			line = line.addKeyValue("job.value", operation.value().toString());
			change = " to " + operation.value();
		}
		String result = "";
		if (affected != null) {
			line = line.addKeyValue("job.affected", affected);
			result = ": %d affected".formatted(affected);
		}
		line.addKeyValue("job.subject", what)
			.addKeyValue("job.operator", operator)
			.log("{} {}{}{}, by {}", operation.name(), what, change, result, (operator != null) ? operator : "unknown");
	}

	/**
	 * An operation, as it is named in the log.
	 *
	 * @param name its name
	 * @param value the value that it sets on jobs, {@code null} for none
	 */
	public record Operation(String name, @Nullable Object value) {

		/**
		 * Return an operation without a value.
		 * @param name its name
		 * @return the operation
		 */
		public static Operation of(String name) {
			return new Operation(name, null);
		}

		Operation to(Object value) {
			return new Operation(this.name, value);
		}

	}

}

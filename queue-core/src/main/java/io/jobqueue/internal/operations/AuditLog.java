package io.jobqueue.internal.operations;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import org.springframework.util.Assert;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.StorableText;

/**
 * Describes each operation with the name of its user for the operator log, and logs it in
 * one line. Structured logs contain the values as {@code job.operation},
 * {@code job.value}, {@code job.subject}, {@code job.affected}, {@code job.operator} and
 * {@code job.reason}.
 */
public final class AuditLog {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.operations");

	private static final int MAX_REASON = 500;

	/**
	 * The operator is in an index, whose rows have at most 2,700 bytes.
	 */
	private static final int MAX_OPERATOR = 200;

	private static final int MAX_SUBJECT = 2_000;

	private final CurrentUser user;

	private final @Nullable String reason;

	/**
	 * Create a log.
	 * @param user returns the user to log with an operation
	 */
	public AuditLog(CurrentUser user) {
		this(user, null);
	}

	private AuditLog(CurrentUser user, @Nullable String reason) {
		this.user = user;
		this.reason = reason;
	}

	/**
	 * Return a log of operations that have a reason.
	 * @param reason the reason
	 * @return the log
	 * @throws IllegalArgumentException if the reason is empty, too long or cannot be
	 * stored
	 */
	public AuditLog because(String reason) {
		Assert.hasText(StorableText.require("reason", reason), "'reason' must not be empty");
		Assert.isTrue(reason.length() <= MAX_REASON,
				() -> "'reason' must have at most %s characters, but has %s".formatted(MAX_REASON, reason.length()));
		return new AuditLog(this.user, LogText.escaped(reason));
	}

	/**
	 * Return the name of the user, {@code null} if it is unknown or cannot be determined:
	 * an operation does not fail because of that.
	 */
	private @Nullable String user() {
		try {
			return this.user.name();
		}
		catch (Throwable ex) {
			logger.warn("Could not determine the current user; the operator is logged as unknown", ex);
			return null;
		}
	}

	/**
	 * Describe an operation of the current user.
	 * @param operation the operation
	 * @param subject the job, queue, schedule or query, without confidential values
	 * @return the operation
	 */
	public LoggedOperation operation(Operation operation, Object subject) {
		return operation(UUID.randomUUID(), operation, subject);
	}

	/**
	 * Describe an operation in steps.
	 * @param id the id that all steps have
	 */
	LoggedOperation operation(UUID id, Operation operation, Object subject) {
		Object value = operation.value();
		String name = user();
		return new LoggedOperation(id, operation.name(), (value != null) ? value.toString() : null,
				escaped(subject, MAX_SUBJECT), (name != null) ? escaped(name, MAX_OPERATOR) : null, this.reason);
	}

	/**
	 * Replaces half of a surrogate pair, which the database cannot store.
	 */
	private static String escaped(Object text, int length) {
		String escaped = LogText.escaped(text);
		String cut = (escaped.length() > length) ? escaped.substring(0, length - 1) + "…" : escaped;
		return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	/**
	 * Log an operation.
	 * @param operation the operation
	 * @param affected the number of changed jobs
	 */
	void done(LoggedOperation operation, long affected) {
		log(operation, affected);
	}

	/**
	 * Log an operation that does not count jobs.
	 * @param operation the operation
	 */
	public void done(LoggedOperation operation) {
		log(operation, null);
	}

	private static void log(LoggedOperation operation, @Nullable Long affected) {
		LoggingEventBuilder line = logger.atInfo().addKeyValue("job.operation", operation.name());
		String change = "";
		if (operation.value() != null) {
			line = line.addKeyValue("job.value", operation.value());
			change = " to " + operation.value();
		}
		String result = "";
		if (affected != null) {
			line = line.addKeyValue("job.affected", affected);
			result = ": %s affected".formatted(affected);
		}
		String why = "";
		if (operation.reason() != null) {
			line = line.addKeyValue("job.reason", operation.reason());
			why = ", because: " + operation.reason();
		}
		String operator = operation.operator();
		line.addKeyValue("job.subject", operation.subject())
			.addKeyValue("job.operator", operator)
			.log("{} {}{}{}, by {}{}", operation.name(), operation.subject(), change, result,
					(operator != null) ? operator : "unknown", why);
	}

	/**
	 * An operation, as it is named in the log.
	 *
	 * @param name its name
	 * @param value the value that it sets on jobs, {@code null} for none
	 */
	public record Operation(String name, @Nullable Object value) {

		private static final String NOW = "now";

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

		/**
		 * The database stores microseconds. A time that is long past stands for now.
		 */
		Operation to(Instant time) {
			return to(time.isAfter(Instant.EPOCH) ? (Object) time.truncatedTo(ChronoUnit.MICROS) : NOW);
		}

	}

}

package io.jobqueue.internal.boot.settings;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.properties.BackoffProperties;
import io.jobqueue.internal.policy.ExceptionTypes;
import io.jobqueue.internal.policy.ExpectedFailures;

/**
 * Makes the expected failures that settings describe.
 */
final class ExpectedExceptions {

	private final String prefix;

	private ExpectedExceptions(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Return the expected failures, {@code null} for none. Settings that cannot work are
	 * refused even where no exception is named.
	 */
	static @Nullable ExpectedFailures of(String prefix, List<String> exceptions, int maxAttempts,
			BackoffProperties backoff) {
		List<Class<? extends Throwable>> types = exceptions.stream().map(new ExpectedExceptions(prefix)::type).toList();
		ExpectedFailures failures = new ExpectedFailures(new ExceptionTypes(types),
				Setting.notNegative(prefix + ".max-attempts", maxAttempts), Backoffs.of(prefix + ".backoff", backoff));
		return types.isEmpty() ? null : failures;
	}

	private Class<? extends Throwable> type(String name) {
		try {
			return ClassUtils.forName(name, null).asSubclass(Throwable.class);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw unusable(name, "which cannot be loaded", ex);
		}
		catch (ClassCastException ex) {
			throw unusable(name, "which is not an exception", ex);
		}
	}

	private InvalidConfigurationException unusable(String name, String reason, Throwable cause) {
		InvalidConfigurationException unusable = new InvalidConfigurationException(
				"The setting '%s.exceptions' names '%s', %s.".formatted(this.prefix, name, reason),
				"Use fully qualified names of exception classes on the class path, such as java.net.SocketTimeoutException.");
		unusable.initCause(cause);
		return unusable;
	}

}

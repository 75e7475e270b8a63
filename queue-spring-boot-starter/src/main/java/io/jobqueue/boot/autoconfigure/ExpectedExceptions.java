package io.jobqueue.boot.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

import io.jobqueue.boot.autoconfigure.QueueOverrides.ExpectedOverrides;
import io.jobqueue.policy.BackoffRetryPolicy;
import io.jobqueue.policy.ExceptionTypes;
import io.jobqueue.policy.ExpectedFailures;

/**
 * Makes the expected failures that settings describe.
 */
final class ExpectedExceptions {

	private final String prefix;

	private final ExpectedOverrides own;

	private final ExpectedProperties defaults;

	private ExpectedExceptions(String prefix, ExpectedOverrides own, ExpectedProperties defaults) {
		this.prefix = prefix;
		this.own = own;
		this.defaults = defaults;
	}

	static @Nullable ExpectedFailures of(String prefix, ExpectedOverrides own, ExpectedProperties defaults) {
		return new ExpectedExceptions(prefix, own, defaults).failures();
	}

	/**
	 * What is wrong is refused even where no exception is named.
	 */
	private @Nullable ExpectedFailures failures() {
		ExpectedFailures failures = new ExpectedFailures(new ExceptionTypes(types()), maxAttempts(), retryPolicy());
		return failures.exceptions().types().isEmpty() ? null : failures;
	}

	private List<Class<? extends Throwable>> types() {
		List<String> names = this.own.getExceptions();
		return ((names != null) ? names : this.defaults.getExceptions()).stream().map(this::type).toList();
	}

	private int maxAttempts() {
		Integer maxAttempts = this.own.getMaxAttempts();
		return Setting.notNegative(this.prefix + ".max-attempts",
				(maxAttempts != null) ? maxAttempts : this.defaults.getMaxAttempts());
	}

	private BackoffRetryPolicy retryPolicy() {
		BackoffProperties backoff = this.own.getBackoff();
		return new BackoffRetryPolicy(
				Backoffs.of(this.prefix + ".backoff", (backoff != null) ? backoff : this.defaults.getBackoff()));
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

	private InvalidSettingException unusable(String name, String reason, Throwable cause) {
		InvalidSettingException unusable = new InvalidSettingException(
				"The setting '%s.exceptions' names '%s', %s.".formatted(this.prefix, name, reason),
				"Use fully qualified names of exception classes on the class path, such as java.net.SocketTimeoutException.");
		unusable.initCause(cause);
		return unusable;
	}

}

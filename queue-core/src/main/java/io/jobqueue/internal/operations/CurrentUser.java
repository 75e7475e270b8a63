package io.jobqueue.internal.operations;

import org.jspecify.annotations.Nullable;

/**
 * Returns the name of the user of an operation, for its log line.
 */
@FunctionalInterface
public interface CurrentUser {

	/**
	 * Return the name of the user on whose behalf the current thread works.
	 * @return the name, {@code null} if no user is known
	 */
	@Nullable String name();

}

package io.jobqueue.operations;

import org.jspecify.annotations.Nullable;

/**
 * Tells who asks for an operation.
 */
@FunctionalInterface
public interface CurrentUser {

	/**
	 * Return the name of the user on whose behalf the current thread works.
	 * @return the name, {@code null} if nobody is known
	 */
	@Nullable String name();

}

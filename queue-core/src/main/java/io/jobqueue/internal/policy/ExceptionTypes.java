package io.jobqueue.internal.policy;

import java.util.List;

import io.jobqueue.internal.store.Causes;

/**
 * A set of exception types that matches their instances, including subclasses and causes.
 *
 * @param types the types
 */
public record ExceptionTypes(List<Class<? extends Throwable>> types) {

	/**
	 * Return whether an exception or one of its causes is an instance of one of the
	 * types. Cyclic causes are examined once.
	 * @param thrown the exception
	 * @return {@code true} if it matches
	 */
	public boolean match(Throwable thrown) {
		return Causes.of(thrown).stream().anyMatch(this::isOneOf);
	}

	private boolean isOneOf(Throwable throwable) {
		return this.types.stream().anyMatch((type) -> type.isInstance(throwable));
	}

}

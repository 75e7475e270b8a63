package io.jobqueue.handler;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Types of exceptions. Subclasses match, and so do causes.
 *
 * @param types the types
 */
record ExceptionTypes(List<Class<? extends Throwable>> types) {

	/**
	 * Some exceptions cause each other.
	 */
	boolean match(Throwable thrown) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		for (Throwable each = thrown; each != null && seen.add(each); each = each.getCause()) {
			if (isOneOf(each)) {
				return true;
			}
		}
		return false;
	}

	private boolean isOneOf(Throwable throwable) {
		return this.types.stream().anyMatch((type) -> type.isInstance(throwable));
	}

}

package io.jobqueue.internal.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Walks the causes of a failure, which may be cyclic.
 */
public final class Causes {

	private Causes() {
	}

	/**
	 * Return a failure and its causes, from the outermost to the root. Of a cycle, each
	 * cause is returned once.
	 * @param failure the failure
	 * @return the failure and its causes
	 */
	public static List<Throwable> of(Throwable failure) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		List<Throwable> causes = new ArrayList<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			causes.add(cause);
		}
		return causes;
	}

	/**
	 * Return the root cause of a failure.
	 * @param failure the failure
	 * @return the last of its causes, the failure itself if it has none
	 */
	public static Throwable root(Throwable failure) {
		List<Throwable> causes = of(failure);
		return causes.get(causes.size() - 1);
	}

}

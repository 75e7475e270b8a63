package io.jobqueue.internal.store.postgresql.jobs;

import io.jobqueue.internal.store.ClaimRequest;

/**
 * The condition on the type of the jobs that a worker takes. A worker with a handler for
 * each type of its queue does not evaluate the second half.
 */
final class TypeFilter {

	private static final String SERVED = """
			(%1$s = ANY (%2$s) OR '%3$s' = ANY (%2$s) AND '%4$s' || %1$s <> ALL (%2$s))""";

	private TypeFilter() {
	}

	/**
	 * Return the condition that a type is served.
	 * @param type the SQL of the type
	 * @param types the SQL of the served types, an array
	 */
	static String of(String type, String types) {
		return SERVED.formatted(type, types, ClaimRequest.ANY_TYPE, ClaimRequest.EXCEPT);
	}

}

package io.jobqueue.internal.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.jobqueue.JobQuery;

/**
 * Describes in words which jobs an operation changes.
 */
final class QueryText {

	/**
	 * Text of a query without a condition.
	 */
	static final String ALL = "all jobs";

	private static final String HIDDEN = "(hidden)";

	private QueryText() {
	}

	/**
	 * Return the conditions of a query. Keys, groups and texts of errors are hidden.
	 * @return such as {@code queue emails, state RETRYING or DEAD}, or {@code all jobs}
	 */
	static String of(JobQuery query) {
		List<String> conditions = new ArrayList<>();
		add(conditions, "queue", query.queue());
		add(conditions, "state", states(query));
		add(conditions, "type", query.type());
		add(conditions, "key", query.key().map((key) -> HIDDEN));
		add(conditions, "group", query.group().map((group) -> HIDDEN));
		add(conditions, "family of job", query.root());
		add(conditions, "member of batch", query.batch());
		add(conditions, "error contains", query.error().map((error) -> HIDDEN));
		add(conditions, "error", query.fingerprint());
		add(conditions, "enqueued from", query.enqueuedFrom());
		add(conditions, "enqueued before", query.enqueuedBefore());
		add(conditions, "finished from", query.finishedFrom());
		add(conditions, "finished before", query.finishedBefore());
		add(conditions, "from position", query.fromPosition().stream().boxed().findFirst());
		return conditions.isEmpty() ? ALL : String.join(", ", conditions);
	}

	private static void add(List<String> conditions, String name, Optional<?> value) {
		value.ifPresent((present) -> conditions.add(name + " " + present));
	}

	private static Optional<String> states(JobQuery query) {
		return query.states().isEmpty() ? Optional.empty()
				: Optional.of(query.states().stream().sorted().map(Enum::name).collect(Collectors.joining(" or ")));
	}

}

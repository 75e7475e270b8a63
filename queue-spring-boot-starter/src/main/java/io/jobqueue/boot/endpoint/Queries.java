package io.jobqueue.boot.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.JobQuery;

/**
 * Reads conditions for jobs.
 */
final class Queries {

	private static final List<String> CONDITIONS = List.of("queue", "state", "type", "key", "group", "error",
			"enqueuedFrom", "enqueuedBefore", "finishedFrom", "finishedBefore", "fromPosition");

	private static final String ALL = "all";

	private Queries() {
	}

	/**
	 * Return what a page is to be about.
	 */
	static JobQuery ofPage(Arguments arguments) {
		arguments.requireOnly(conditionsAnd("after", "limit"));
		JobQuery query = with(of(arguments), arguments.text("after"), JobQuery::after);
		return with(query, arguments.value("limit", ArgumentType.LIMIT), JobQuery::limit);
	}

	/**
	 * Return which jobs are to be changed. That it is all of them, has to be said.
	 */
	static JobQuery ofBulk(Arguments arguments, String... others) {
		List<String> known = conditionsAnd(others);
		known.add(ALL);
		arguments.requireOnly(known);
		boolean all = arguments.value(ALL, ArgumentType.FLAG) != null;
		Assert.isTrue(all != arguments.hasAny(CONDITIONS),
				() -> "Set a condition (%s), or set '%s' to true for all jobs".formatted(String.join(", ", CONDITIONS),
						ALL));
		return of(arguments);
	}

	private static List<String> conditionsAnd(String... others) {
		List<String> names = new ArrayList<>(CONDITIONS);
		names.addAll(List.of(others));
		return names;
	}

	private static JobQuery of(Arguments arguments) {
		JobQuery query = JobQuery.all();
		query = with(query, arguments.text("queue"), JobQuery::queue);
		query = with(query, arguments.value("state", ArgumentType.STATES), JobQuery::states);
		query = with(query, arguments.text("type"), JobQuery::type);
		query = with(query, arguments.text("key"), JobQuery::key);
		query = with(query, arguments.text("group"), JobQuery::group);
		query = with(query, arguments.text("error"), JobQuery::error);
		query = with(query, arguments.value("enqueuedFrom", ArgumentType.TIME), JobQuery::enqueuedFrom);
		query = with(query, arguments.value("enqueuedBefore", ArgumentType.TIME), JobQuery::enqueuedBefore);
		query = with(query, arguments.value("finishedFrom", ArgumentType.TIME), JobQuery::finishedFrom);
		query = with(query, arguments.value("finishedBefore", ArgumentType.TIME), JobQuery::finishedBefore);
		return with(query, arguments.value("fromPosition", ArgumentType.NUMBER), JobQuery::fromPosition);
	}

	private static <T> JobQuery with(JobQuery query, @Nullable T value, BiFunction<JobQuery, T, JobQuery> condition) {
		return (value != null) ? condition.apply(query, value) : query;
	}

}

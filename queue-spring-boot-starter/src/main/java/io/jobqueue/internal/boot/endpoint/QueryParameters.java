package io.jobqueue.internal.boot.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.JobQuery;

/**
 * Makes a {@link JobQuery} of the parameters of a request.
 */
public final class QueryParameters {

	private static final List<String> CONDITIONS = List.of("queue", "state", "type", "key", "group", "root", "batch",
			"error", "fingerprint", "enqueuedFrom", "enqueuedBefore", "finishedFrom", "finishedBefore", "fromPosition");

	private static final String ALL = "all";

	private QueryParameters() {
	}

	/**
	 * Return the query for a page of jobs.
	 * @param parameters the conditions, and {@code after} and {@code limit}
	 * @return the query
	 * @throws IllegalArgumentException if a name is unknown or a value invalid
	 */
	public static JobQuery ofPage(RequestParameters parameters) {
		parameters.requireOnly(conditionsAnd("after", "limit"));
		JobQuery query = with(of(parameters), parameters.text("after"), JobQuery::after);
		return with(query, parameters.value("limit", ParameterType.LIMIT), JobQuery::limit);
	}

	/**
	 * Return the query for a bulk operation. An unfiltered request must set
	 * {@code all=true}.
	 * @param parameters the conditions, and other parameters
	 * @param others the names of the other parameters
	 * @return the query
	 * @throws IllegalArgumentException if a name is unknown, a value invalid, or neither
	 * a condition nor {@code all=true} is set
	 */
	public static JobQuery ofBulk(RequestParameters parameters, String... others) {
		List<String> known = conditionsAnd(others);
		known.add(ALL);
		parameters.requireOnly(known);
		boolean all = parameters.value(ALL, ParameterType.FLAG) != null;
		Assert.isTrue(all != parameters.hasAny(CONDITIONS),
				() -> "Set a condition (%s), or set '%s' to true for all jobs".formatted(String.join(", ", CONDITIONS),
						ALL));
		return of(parameters);
	}

	private static List<String> conditionsAnd(String... others) {
		List<String> names = new ArrayList<>(CONDITIONS);
		names.addAll(List.of(others));
		return names;
	}

	private static JobQuery of(RequestParameters parameters) {
		JobQuery query = JobQuery.all();
		query = with(query, parameters.text("queue"), JobQuery::queue);
		query = with(query, parameters.value("state", ParameterType.STATES), JobQuery::states);
		query = with(query, parameters.text("type"), JobQuery::type);
		query = with(query, parameters.text("key"), JobQuery::key);
		query = with(query, parameters.text("group"), JobQuery::group);
		query = with(query, parameters.value("root", ParameterType.ID), JobQuery::root);
		query = with(query, parameters.value("batch", ParameterType.BATCH_ID), JobQuery::batch);
		query = with(query, parameters.text("error"), JobQuery::error);
		query = with(query, parameters.text("fingerprint"), JobQuery::fingerprint);
		query = with(query, parameters.value("enqueuedFrom", ParameterType.TIME), JobQuery::enqueuedFrom);
		query = with(query, parameters.value("enqueuedBefore", ParameterType.TIME), JobQuery::enqueuedBefore);
		query = with(query, parameters.value("finishedFrom", ParameterType.TIME), JobQuery::finishedFrom);
		query = with(query, parameters.value("finishedBefore", ParameterType.TIME), JobQuery::finishedBefore);
		return with(query, parameters.value("fromPosition", ParameterType.NUMBER), JobQuery::fromPosition);
	}

	static <Q, T> Q with(Q query, @Nullable T value, BiFunction<Q, T, Q> condition) {
		return (value != null) ? condition.apply(query, value) : query;
	}

}

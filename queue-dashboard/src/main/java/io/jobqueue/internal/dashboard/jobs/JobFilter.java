package io.jobqueue.internal.dashboard.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.JobQuery;
import io.jobqueue.internal.boot.endpoint.QueryParameters;
import io.jobqueue.internal.boot.endpoint.RequestParameters;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * The conditions of a list, which are the parameters of its address. They have the names
 * and values of the Actuator endpoint.
 *
 * @param conditions the conditions that have a value
 */
record JobFilter(Map<String, String> conditions) {

	/**
	 * What a browser sends for a field with a time, which has no zone. The field is in
	 * UTC.
	 */
	private static final Pattern LOCAL_TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?");

	private static final int LENGTH_WITHOUT_SECONDS = 16;

	private static final Set<String> TIMES = Set.of("enqueuedFrom", "enqueuedBefore", "finishedFrom", "finishedBefore");

	private static final String STATE = "state";

	/**
	 * Read a filter from the fields of its form, or from an address.
	 */
	static JobFilter of(ServerRequest request) {
		Map<String, String> conditions = new LinkedHashMap<>();
		parameters(request).forEach((name, values) -> {
			List<String> texts = values.stream().filter(StringUtils::hasText).toList();
			Assert.isTrue(texts.size() <= 1 || name.equals(STATE),
					() -> "'%s' is given more than once".formatted(name));
			if (!texts.isEmpty()) {
				conditions.put(name, TIMES.contains(name) ? time(texts.get(0)) : String.join(",", texts));
			}
		});
		return new JobFilter(conditions);
	}

	/**
	 * Return the parameters without the one that says what an action has done.
	 */
	private static Map<String, List<String>> parameters(ServerRequest request) {
		Map<String, List<String>> parameters = new LinkedHashMap<>(request.params());
		parameters.remove(Views.DONE);
		return parameters;
	}

	private static String time(String text) {
		if (!LOCAL_TIME.matcher(text).matches()) {
			return text;
		}
		return text + ((text.length() == LENGTH_WITHOUT_SECONDS) ? ":00Z" : "Z");
	}

	/**
	 * Return the address to share if that of the request is another one, because it has
	 * fields without a value.
	 */
	@Nullable String redirect(ServerRequest request) {
		Map<String, List<String>> shared = new LinkedHashMap<>();
		this.conditions.forEach((name, value) -> shared.put(name, List.of(value)));
		boolean same = shared.equals(parameters(request));
		return same ? null : "jobs" + (this.conditions.isEmpty() ? "" : "?" + UrlQuery.of(this.conditions));
	}

	JobQuery query(ValueSanitizer sanitizer) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>(this.conditions);
		RequestParameters parameters = new RequestParameters(values);
		sanitizer.requireShownForSearch(parameters);
		return QueryParameters.ofPage(parameters);
	}

}

package io.jobqueue.internal.dashboard.action;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQuery;
import io.jobqueue.internal.boot.endpoint.QueryParameters;
import io.jobqueue.internal.boot.endpoint.RequestParameters;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * The conditions of jobs, as a page has them in its parameters and a form in fields with
 * a prefix. An unknown condition is refused: without it, more jobs would match.
 *
 * @param conditions the values by the names that the endpoint uses, none for all jobs
 */
record BulkFilter(Map<String, String> conditions) {

	static final String PREFIX = "filter.";

	/**
	 * What lists have besides conditions.
	 */
	private static final Set<String> OTHERS = Set.of("after", "limit", Views.DONE);

	static BulkFilter ofPage(Form page) {
		Map<String, String> conditions = new LinkedHashMap<>();
		page.values().forEach((name, values) -> {
			if (!OTHERS.contains(name)) {
				conditions.put(name, joined(name, values));
			}
		});
		return new BulkFilter(conditions);
	}

	static BulkFilter ofForm(Form form) {
		Map<String, String> conditions = new LinkedHashMap<>();
		form.values().forEach((name, values) -> {
			if (name.startsWith(PREFIX)) {
				conditions.put(name.substring(PREFIX.length()), joined(name, values));
			}
		});
		return new BulkFilter(conditions);
	}

	/**
	 * Several states are several fields of a list.
	 */
	private static String joined(String name, List<String> values) {
		if (values.size() > 1 && !name.endsWith("state")) {
			throw new IllegalArgumentException("'%s' is given more than once".formatted(name));
		}
		return String.join(",", values);
	}

	JobQuery query(ValueSanitizer sanitizer) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>(this.conditions);
		if (values.isEmpty()) {
			values.put("all", "true");
		}
		RequestParameters parameters = new RequestParameters(values);
		sanitizer.requireShownForSearch(parameters);
		return QueryParameters.ofBulk(parameters);
	}

}

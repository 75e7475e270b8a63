package io.jobqueue.internal.dashboard.action;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQuery;
import io.jobqueue.internal.boot.endpoint.QueryParameters;
import io.jobqueue.internal.boot.endpoint.RequestParameters;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.view.Form;

/**
 * The conditions of jobs in the address of a page or of a form. An unknown condition is
 * refused: without it, more jobs would match.
 *
 * @param conditions the values by the names that the endpoint uses, none for all jobs
 */
record BulkFilter(Map<String, String> conditions) {

	/**
	 * What lists have besides conditions.
	 */
	private static final List<String> OTHERS = List.of("after", "limit");

	static BulkFilter ofPage(Form page) {
		return of(page, OTHERS);
	}

	/**
	 * A condition without a value is kept, and refused as that of the endpoint.
	 * @param fields the names of the fields that are not conditions
	 */
	static BulkFilter of(Form form, Collection<String> fields) {
		Map<String, String> conditions = new LinkedHashMap<>();
		form.values().forEach((name, values) -> {
			String value = joined(name, values);
			if (!fields.contains(name)) {
				conditions.put(name, value);
			}
		});
		return new BulkFilter(conditions);
	}

	/**
	 * Several states are several fields of a list.
	 */
	private static String joined(String name, List<String> values) {
		if (values.size() > 1 && !name.equals("state")) {
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

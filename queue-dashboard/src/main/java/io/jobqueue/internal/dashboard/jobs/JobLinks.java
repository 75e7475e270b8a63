package io.jobqueue.internal.dashboard.jobs;

import java.util.Map;

import io.jobqueue.internal.dashboard.view.UrlQuery;

/**
 * Addresses of pages of jobs, below that of the dashboard.
 */
public final class JobLinks {

	private JobLinks() {
	}

	/**
	 * Return the address of a list.
	 * @param name the name of its only condition
	 * @param value the value of the condition
	 * @return the path with its parameter
	 */
	public static String list(String name, Object value) {
		return list(Map.of(name, value.toString()));
	}

	/**
	 * Return the address of a list.
	 * @param conditions the values of its conditions by their names
	 * @return the path with its parameters
	 */
	public static String list(Map<String, String> conditions) {
		return "/jobs?" + UrlQuery.of(conditions);
	}

}

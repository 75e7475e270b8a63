package io.jobqueue.internal.dashboard.overview;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.view.UrlQuery;

/**
 * What is wrong, with a link to the page that mends it.
 *
 * @param text a sentence without its full stop
 * @param since since when, {@code null} if the sentence says it or it is unknown
 * @param path the path of the page below the base
 */
public record Problem(String text, @Nullable Instant since, String path) {

	static final String WORKERS = "/workers";

	static final String PAUSES = "/pauses";

	static Problem ofJobs(String text, String queue, String state) {
		return new Problem(text, null, "/jobs?" + UrlQuery.of("queue", queue) + "&state=" + state);
	}

	static Problem ofDead(String text, String queue) {
		return new Problem(text, null, "/dead?" + UrlQuery.of("queue", queue));
	}

	static Problem ofWorkers(String text) {
		return new Problem(text, null, WORKERS);
	}

}

package io.jobqueue.internal.dashboard.overview;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.web.util.UriUtils;

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
		return new Problem(text, null, "/jobs?queue=%s&state=%s".formatted(encode(queue), state));
	}

	static Problem ofWorkers(String text) {
		return new Problem(text, null, WORKERS);
	}

	static String encode(String text) {
		return UriUtils.encode(text, StandardCharsets.UTF_8);
	}

}

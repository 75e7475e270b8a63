package io.jobqueue.internal.dashboard.dead;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.UriUtils;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.StorableText;

/**
 * Selects dead jobs.
 *
 * @param queue the queue, {@code null} for any
 * @param type the name of the type, {@code null} for any
 * @param fingerprint what their last failures have in common, {@code null} for any
 * @param after the position of the page, {@code null} for the first one
 */
public record DeadFilter(@Nullable String queue, @Nullable String type, @Nullable String fingerprint,
		@Nullable String after) {

	private static final int PAGE_SIZE = 50;

	static DeadFilter of(ServerRequest request) {
		return new DeadFilter(text(request, "queue"), text(request, "type"), text(request, "fingerprint"),
				text(request, "after"));
	}

	private static @Nullable String text(ServerRequest request, String name) {
		return request.param(name)
			.filter(StringUtils::hasText)
			.map((text) -> StorableText.require(name, text))
			.orElse(null);
	}

	JobQuery query() {
		JobQuery query = JobQuery.all().states(JobState.DEAD).limit(PAGE_SIZE);
		query = (this.queue != null) ? query.queue(this.queue) : query;
		query = (this.type != null) ? query.type(this.type) : query;
		query = (this.fingerprint != null) ? query.fingerprint(this.fingerprint) : query;
		return (this.after != null) ? query.after(this.after) : query;
	}

	/**
	 * Return the same jobs as parameters of the endpoint, for actions on all of them.
	 * @return the query of an address, with its question mark
	 */
	public String parameters() {
		return parameters(this.queue, this.fingerprint);
	}

	/**
	 * Return the jobs of an error as parameters of the endpoint.
	 * @param ofQueue the queue of the error
	 * @param error the error
	 * @return the query of an address, with its question mark
	 */
	public String parameters(@Nullable String ofQueue, @Nullable String error) {
		Map<String, @Nullable String> all = new LinkedHashMap<>();
		all.put("state", JobState.DEAD.name());
		all.put("queue", ofQueue);
		all.put("type", this.type);
		all.put("fingerprint", error);
		return all.entrySet()
			.stream()
			.filter((each) -> each.getValue() != null)
			.map((each) -> each.getKey() + "="
					+ UriUtils.encode(String.valueOf(each.getValue()), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&", "?", ""));
	}

}

package io.jobqueue.internal.dashboard.dead;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.JobQuery;
import io.jobqueue.JobState;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.UrlQuery;

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
		Form page = Form.ofPage(request, "queue", "type", "fingerprint", "after");
		return new DeadFilter(page.text("queue"), page.text("type"), page.text("fingerprint"), page.text("after"));
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
		Map<String, @Nullable String> all = new LinkedHashMap<>();
		all.put("state", JobState.DEAD.name());
		all.putAll(page(this.queue, this.fingerprint));
		return "?" + UrlQuery.of(all);
	}

	/**
	 * Return the jobs of an error as parameters of this page.
	 * @param ofQueue the queue of the error
	 * @param error the error
	 * @return the query of an address, with its question mark
	 */
	public String link(@Nullable String ofQueue, @Nullable String error) {
		return "?" + UrlQuery.of(page(ofQueue, error));
	}

	private Map<String, @Nullable String> page(@Nullable String ofQueue, @Nullable String error) {
		Map<String, @Nullable String> conditions = new LinkedHashMap<>();
		conditions.put("queue", ofQueue);
		conditions.put("type", this.type);
		conditions.put("fingerprint", error);
		return conditions;
	}

}

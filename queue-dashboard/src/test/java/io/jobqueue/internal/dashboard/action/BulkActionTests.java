package io.jobqueue.internal.dashboard.action;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.HtmlUtils;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Actions on all jobs of a filter.
 */
class BulkActionTests extends DashboardTestBase {

	private static final Pattern FIELD = Pattern
		.compile("<input type=\"hidden\" name=\"([^\"]*)\"(?: value=\"([^\"]*)\")?>");

	private static final String DEAD = "/bulk/retry?state=DEAD&queue=emails";

	private void insertDead(int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, started_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload)
					SELECT gen_random_uuid(), n, now(), now() - interval '1 hour', now() - interval '1 hour', now(), 1, 1, 10, 'DEAD',
					       'emails', 'mail', '{}'
					FROM generate_series(1, ?) n
					""")
			.param(count)
			.update();
	}

	/**
	 * Return the hidden fields of a page, as a browser sends them.
	 */
	private static Map<String, String> fields(HttpResponse<String> page) {
		Map<String, String> fields = new HashMap<>();
		Matcher field = FIELD.matcher(page.body());
		while (field.find()) {
			fields.put(field.group(1), (field.group(2) != null) ? HtmlUtils.htmlUnescape(field.group(2)) : "");
		}
		return fields;
	}

	private static String text(HttpResponse<String> page) {
		return page.body().replaceAll("\\s+", " ");
	}

	private long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	@Test
	void stepsAreRequestedUntilTheEnd() {
		insertDead(1_100);
		HttpResponse<String> preview = get(DEAD);
		assertThat(preview.statusCode()).isEqualTo(200);
		assertThat(text(preview)).contains("<data value=\"1100\">1,100</data> jobs").contains("<dd>DEAD</dd>");
		Map<String, String> form = fields(preview);
		form.put("reason", "the server is back");
		HttpResponse<String> first = post("/bulk/retry", form);
		assertThat(text(first)).contains("<data value=\"500\">500</data> jobs retried")
			.contains("After step 1:")
			.contains("max=\"1100\" value=\"500\"")
			.contains("Next step");
		assertThat(count("jobqueue_job")).isEqualTo(500);
		HttpResponse<String> last = post("/bulk/retry", fields(post("/bulk/retry", fields(first))));
		assertThat(text(last)).contains("<data value=\"1100\">1,100</data> jobs retried")
			.contains("Finished:")
			.doesNotContain("Next step");
		assertThat(count("jobqueue_job")).isEqualTo(1_100);
		assertThat(this.sql.sql("SELECT affected || ' ' || steps || ' ' || reason FROM jobqueue_operator_log")
			.query(String.class)
			.list()).containsExactly("1100 3 the server is back");
	}

	/**
	 * As by a reload of the page.
	 */
	@Test
	void repeatedStepIsRefusedAndNamed() {
		insertDead(1_100);
		HttpResponse<String> first = post("/bulk/replay", fields(get("/bulk/replay?queue=emails")));
		Map<String, String> second = fields(first);
		post("/bulk/replay", second);
		HttpResponse<String> again = post("/bulk/replay", second);
		assertThat(again.statusCode()).isEqualTo(409);
		assertThat(again.body()).contains("Step 2 was not completed")
			.contains("The steps before it have changed 500 jobs");
		assertThat(count("jobqueue_job")).isEqualTo(1_000);
	}

	@Test
	void failedStepIsNamed() {
		insertDead(600);
		HttpResponse<String> first = post("/bulk/delete", fields(get("/bulk/delete?queue=emails")));
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'secret'; END $$;
				CREATE TRIGGER refuse BEFORE DELETE ON jobqueue_archive EXECUTE FUNCTION refuse()
				""").update();
		try {
			HttpResponse<String> second = post("/bulk/delete", fields(first));
			assertThat(second.statusCode()).isEqualTo(503);
			assertThat(second.body()).contains("Step 2 was not completed: The database failed; see the log")
				.contains("have changed 500 jobs")
				.doesNotContain("secret");
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse CASCADE").update();
		}
	}

	@Test
	void previewSaysWhenThereAreMore() {
		insertDead(10_001);
		assertThat(text(get(DEAD))).contains("More than <data value=\"10000\">10,000</data> jobs");
	}

	@Test
	void valuesAreTheSameInAllSteps() {
		for (int job = 0; job < 501; job++) {
			enqueue(JobRequest.of("emails", Map.of()).type("mail").delay(Duration.ofHours(1)));
		}
		Map<String, String> form = fields(get("/bulk/reschedule?queue=emails"));
		form.putAll(Map.of("amount", "2", "unit", "days"));
		post("/bulk/reschedule", fields(post("/bulk/reschedule", form)));
		assertThat(this.sql.sql("SELECT count(DISTINCT run_at) FROM jobqueue_job").query(Long.class).single()).isOne();
		Map<String, String> priorities = fields(get("/bulk/reprioritise?queue=emails"));
		priorities.put("priority", "7");
		post("/bulk/reprioritise", fields(post("/bulk/reprioritise", priorities)));
		assertThat(count("jobqueue_job WHERE priority = 7")).isEqualTo(501);
	}

	@Test
	void everyActionHasAPreview() {
		enqueue(JobRequest.of("emails", Map.of()).type("mail").delay(Duration.ofHours(1)));
		for (BulkAction action : BulkAction.values()) {
			HttpResponse<String> page = get("/bulk/" + action.path() + "?queue=emails&after=x&done=y");
			assertThat(page.statusCode()).as(action.path()).isEqualTo(200);
			assertThat(page.body()).contains("<h1>" + action.label() + " jobs</h1>");
		}
		assertThat(text(post("/bulk/run", fields(get("/bulk/run"))))).contains("1</data> job made due now");
		assertThat(text(post("/bulk/cancel", fields(get("/bulk/cancel"))))).contains("1</data> job cancelled");
		assertThat(text(get("/bulk/cancel"))).contains("<data value=\"0\">0</data> jobs")
			.contains("All jobs of all queues.")
			.doesNotContain("Cancel these jobs");
		assertThat(get("/bulk/explode").statusCode()).isEqualTo(404);
	}

	/**
	 * A condition that is dropped would select more jobs.
	 */
	@Test
	void unknownConditionIsRefused() {
		assertThat(get("/bulk/delete?quue=emails").statusCode()).isEqualTo(400);
		assertThat(get("/bulk/delete?queue=a&queue=b").statusCode()).isEqualTo(400);
		assertThat(get("/bulk/delete?state=DEAD&state=CANCELLED&queue=").statusCode()).isEqualTo(200);
		assertThat(post("/bulk/delete", Map.of("filter.quue", "emails")).statusCode()).isEqualTo(400);
		assertThat(post("/bulk/delete", Map.of()).statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z" })
	void timeThatTheDatabaseDoesNotKnowIsRefused(String time) {
		insertDead(1);
		Map<String, String> form = fields(get(DEAD));
		form.put("began", time);
		assertThat(post("/bulk/retry", form).statusCode()).isEqualTo(400);
		Map<String, String> later = fields(get("/bulk/reschedule"));
		later.putAll(Map.of("amount", "2", "unit", "days", "runAt", time));
		assertThat(post("/bulk/reschedule", later).statusCode()).isEqualTo(400);
	}

	@Test
	void hostileConditionIsText() {
		HttpResponse<String> page = get(
				"/bulk/delete?type=" + URLEncoder.encode("<script>\"'\u202e", StandardCharsets.UTF_8));
		assertThat(page.body()).contains("&lt;script&gt;").doesNotContain("<script>\"");
		assertThat(fields(page)).isEmpty();
	}

}

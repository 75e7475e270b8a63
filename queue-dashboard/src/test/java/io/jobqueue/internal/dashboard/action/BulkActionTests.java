package io.jobqueue.internal.dashboard.action;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

	private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"/jobqueue(/bulk/[^\"]*)\"");

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

	/**
	 * Submit the form of a page, as a browser does.
	 */
	private HttpResponse<String> submit(HttpResponse<String> page, Map<String, String> entered) {
		Map<String, String> form = fields(page);
		form.putAll(entered);
		return post(path(page), form);
	}

	private HttpResponse<String> submit(HttpResponse<String> page) {
		return submit(page, Map.of());
	}

	private static String path(HttpResponse<String> page) {
		Matcher form = FORM.matcher(page.body());
		assertThat(form.find()).as(page.body()).isTrue();
		return HtmlUtils.htmlUnescape(form.group(1));
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
		HttpResponse<String> first = submit(preview, Map.of("reason", "the server is back"));
		assertThat(text(first)).contains("<data value=\"500\">500</data> jobs retried")
			.contains("After step 1:")
			.contains("max=\"1100\" value=\"500\"")
			.contains("Next step");
		assertThat(count("jobqueue_job")).isEqualTo(500);
		HttpResponse<String> last = submit(submit(first));
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
		HttpResponse<String> first = submit(get("/bulk/replay?queue=emails"));
		submit(first);
		HttpResponse<String> again = submit(first);
		assertThat(again.statusCode()).isEqualTo(409);
		assertThat(again.body()).contains("Step 2 was requested before, and is not repeated.")
			.doesNotContain("was not completed");
		assertThat(count("jobqueue_job")).isEqualTo(1_000);
	}

	@Test
	void failedStepIsNamed() {
		insertDead(600);
		HttpResponse<String> first = submit(get("/bulk/delete?queue=emails"));
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'secret'; END $$;
				CREATE TRIGGER refuse BEFORE DELETE ON jobqueue_archive EXECUTE FUNCTION refuse()
				""").update();
		try {
			HttpResponse<String> second = submit(first);
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
		submit(submit(get("/bulk/reschedule?queue=emails"), Map.of("amount", "2", "unit", "days")));
		assertThat(this.sql.sql("SELECT count(DISTINCT run_at) FROM jobqueue_job").query(Long.class).single()).isOne();
		submit(submit(get("/bulk/reprioritise?queue=emails"), Map.of("priority", "7")));
		assertThat(count("jobqueue_job WHERE priority = 7")).isEqualTo(501);
	}

	@Test
	void everyActionHasAPreview() {
		enqueue(JobRequest.of("emails", Map.of()).type("mail").delay(Duration.ofHours(1)));
		for (BulkAction action : BulkAction.values()) {
			HttpResponse<String> page = get("/bulk/" + action.path() + "?queue=emails&after=x&done=y");
			assertThat(page.statusCode()).as(action.path()).isEqualTo(200);
			assertThat(page.body()).contains("<h1>" + action.label("jobs") + "</h1>");
		}
		assertThat(text(submit(get("/bulk/run")))).contains("1</data> job made due now");
		assertThat(text(submit(get("/bulk/cancel")))).contains("1</data> job cancelled");
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
		assertThat(get("/bulk/delete?after=a&after=b").statusCode()).isEqualTo(400);
		assertThat(post("/bulk/delete", Map.of()).statusCode()).isEqualTo(400);
	}

	/**
	 * As that of a script, with the fields of a preview of fewer jobs.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			?quue=emails               | | Unknown parameter 'quue'
			?queue=emails&queue=faxes  | | 'queue' is given more than once
			?queue=                    | | 'queue' has no value
			?state=DEAD&state=READY    | | 'state' is given more than once
			?queue=emails              | filter.state | Unknown parameter 'filter.state'
			?queue=emails              | amount | Unknown parameter 'amount'
			?queue=emails              | queue | 'queue' is given more than once
			?queue=emails&reason=b     | reason | 'reason' is given more than once
			""")
	void stepWithAnUnknownFieldIsRefused(String conditions, @Nullable String field, String message) {
		insertDead(3);
		Map<String, String> form = fields(get("/bulk/delete?queue=emails"));
		if (field != null) {
			form.put(field, "a");
		}
		HttpResponse<String> answer = post("/bulk/delete" + conditions, form);
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(HtmlUtils.htmlUnescape(answer.body())).contains(message);
		assertThat(count("jobqueue_archive")).isEqualTo(3);
	}

	/**
	 * A reload of the page is a preview of the same jobs.
	 */
	@Test
	void addressOfTheStepsHasTheConditions() {
		insertDead(501);
		HttpResponse<String> preview = get("/bulk/delete?state=DEAD&queue=emails&after=x");
		assertThat(path(preview)).startsWith("/bulk/delete?").contains("state=DEAD", "queue=emails");
		assertThat(path(submit(preview))).isEqualTo(path(preview));
		assertThat(text(get(path(preview)))).contains("<dd>emails</dd>");
	}

	/**
	 * A step more than the largest number has none after it.
	 */
	@ParameterizedTest
	@CsvSource({ "step, 2147483647", "step, 4294967295", "step, -1", "changed, 9223372036854775807", "jobs, many" })
	void numberOutOfRangeIsRefused(String field, String number) {
		insertDead(1);
		HttpResponse<String> answer = submit(get(DEAD), Map.of(field, number));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(HtmlUtils.htmlUnescape(answer.body())).contains("'" + field + "' must be a number from 0 to");
	}

	/**
	 * Jobs that have not begun are found by their state, and left out.
	 */
	@Test
	void previewThatCountsTooManySaysSo() {
		enqueue(JobRequest.of("emails", Map.of()).type("mail"));
		assertThat(text(get("/bulk/retry?state=ready"))).contains("At most <data value=\"1\">1</data> job ");
		assertThat(text(get("/bulk/delete?state=READY"))).doesNotContain("At most");
		assertThat(text(get("/bulk/run?state=READY"))).contains("<data value=\"0\">0</data> jobs");
		assertThat(text(get("/bulk/retry?state=SUCCEEDED"))).contains("<data value=\"0\">0</data> jobs");
	}

	@ParameterizedTest
	@ValueSource(strings = { "+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z" })
	void timeThatTheDatabaseDoesNotKnowIsRefused(String time) {
		insertDead(1);
		Map<String, String> form = fields(get(DEAD));
		form.put("began", time);
		assertThat(post(DEAD, form).statusCode()).isEqualTo(400);
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

package io.jobqueue.internal.dashboard.log;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobQuery;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the operator log.
 */
class LogTests extends DashboardTestBase {

	private void insert(String operator, String operation, String subject, String reason, int count) {
		this.sql.sql("""
				INSERT INTO jobqueue_operator_log (id, at, affected, operation, subject, operator, reason)
				SELECT gen_random_uuid(), now() - n * interval '1 second', 1, ?, ?, ?, ? FROM generate_series(1, ?) n
				""").params(operation, subject, operator, reason, count).update();
	}

	@Test
	void emptyLogSaysSo() {
		assertThat(get("/log?operator=mallory").body()).contains("No operator has done anything in the last 90 days.");
	}

	@Test
	void operationsAreShownWithTheirReasons() {
		operations().because("the mail server is down").pause("emails");
		operations().bulk().delete(JobQuery.all().queue("emails").error("secret"));
		UUID job = UUID.randomUUID();
		insert("alice", "retry", job.toString(), "again", 1);
		String page = get("/log").body();
		assertThat(page).contains("the mail server is down")
			.contains("queue emails, state SCHEDULED or READY", "error contains (hidden)")
			.doesNotContain("secret", "JobQuery")
			.contains("<a href=\"/jobqueue/jobs/" + job + "\">")
			.contains("<em>unknown</em>");
		assertThat(page.indexOf("queue emails, state")).isLessThan(page.indexOf("the mail server is down"));
	}

	/**
	 * The log has them neither where pages show them.
	 */
	@Test
	void keysAndGroupsAreNotInTheLog() {
		operations().bulk().delete(JobQuery.all().group("patient-42"));
		operations().bulk().delete(JobQuery.all().queue("emails").key("patient-42"));
		assertThat(get("/log").body()).contains("group (hidden)", "key (hidden)").doesNotContain("patient-42");
	}

	@Test
	void timesAreThoseOfTheBrowser() {
		operations().bulk().reschedule(JobQuery.all().type("mail"), Instant.parse("2026-11-28T12:00:00.123456789Z"));
		operations().bulk().reschedule(JobQuery.all(), Instant.EPOCH);
		String page = get("/log").body().replaceAll("\\s+", " ");
		assertThat(page).contains("reschedule to <time datetime=\"2026-11-28T12:00:00.123Z\" data-absolute",
				"reschedule to now<", "all jobs, state SCHEDULED");
		insert("eve", "pause", "emails/2026-99-99T12:00:00Z", null, 1);
		assertThat(get("/log?operator=eve").body()).contains("emails/2026-99-99T12:00:00Z");
	}

	/**
	 * A node that is lost after it has begun a step leaves such a row.
	 */
	@Test
	void stepsThatHaveChangedNothingAreShownAsBegun() {
		insert("alice", "retry", "x", null, 2);
		this.sql.sql("UPDATE jobqueue_operator_log SET affected = 0, steps = 2").update();
		assertThat(get("/log").body()).contains("2 steps have begun, no job was changed");
		this.sql.sql("UPDATE jobqueue_operator_log SET affected = 7, ended_at = now()").update();
		assertThat(get("/log").body()).contains("in 2 steps, the last <time").doesNotContain("have begun");
	}

	@Test
	void pagesAreFiltered() {
		insert("alice", "retry", "x", null, 60);
		insert("bob", "delete", "y", null, 2);
		String first = get("/log?operator=alice&operation=").body();
		assertThat(first.split("<th scope=\"row\">retry", -1)).hasSize(51);
		assertThat(first).doesNotContain("<th scope=\"row\">delete");
		String next = first.replaceAll("(?s).*href=\"/jobqueue(/log[^\"]*)\" rel=\"next\".*", "$1")
			.replace("&amp;", "&");
		assertThat(get(next).body().split("<th scope=\"row\">retry", -1)).hasSize(11);
		String deleted = get("/log?operation=delete").body();
		assertThat(deleted).contains("<option selected>delete</option>");
		assertThat(deleted.split("<th scope=\"row\">delete", -1)).hasSize(3);
		HttpResponse<String> invalid = get("/log?after=1_2");
		assertThat(invalid.statusCode()).isEqualTo(400);
		assertThat(get("/log?operator=%00").statusCode()).isEqualTo(400);
		assertThat(get("/log?operation=nope").statusCode()).isEqualTo(400);
	}

	@Test
	void hostileTextIsText() {
		String operator = HOSTILE.substring(0, 100);
		insert(operator, HOSTILE, HOSTILE, HOSTILE, 1);
		assertThat(get("/log?operator=" + URLEncoder.encode(operator, StandardCharsets.UTF_8)).body())
			.contains("&lt;script&gt;")
			.doesNotContain("<script>alert");
	}

}

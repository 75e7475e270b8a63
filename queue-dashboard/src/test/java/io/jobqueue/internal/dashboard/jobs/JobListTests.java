package io.jobqueue.internal.dashboard.jobs;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of jobs.
 */
class JobListTests extends DashboardTestBase {

	private static JobRequest mail(String queue) {
		return JobRequest.of(queue, Map.of("to", "Ada")).type("mail");
	}

	@Test
	void jobsAreListedWithALinkToTheirPage() {
		UUID job = enqueue(mail("emails").key("signup-42").group("import"));
		HttpResponse<String> page = get("/jobs");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("<title>Jobs · Job queue</title>")
			.contains("<a href=\"/jobqueue/jobs/%s\">mail</a>".formatted(job))
			.contains("key signup-42", "group import", ">emails</td>", "state-ready")
			.contains("hx-get=\"/jobqueue/jobs\"");
	}

	@Test
	void conditionsSelectJobsAndStayInTheForm() {
		UUID wanted = enqueue(mail("emails").key("signup-42"));
		UUID other = enqueue(mail("invoices").key("signup-42"));
		String body = get("/jobs?queue=emails&key=signup-42&state=READY,DEAD&enqueuedFrom=2026-01-01T00:00:00Z").body();
		assertThat(body).contains(wanted.toString())
			.doesNotContain(other.toString())
			.contains("name=\"queue\" value=\"emails\"", "name=\"key\" value=\"signup-42\"",
					"name=\"enqueuedFrom\" value=\"2026-01-01T00:00:00\"", "<details open>")
			.containsOnlyOnce("value=\"DEAD\" checked")
			.doesNotContain("value=\"RUNNING\" checked");
		assertThat(get("/jobs?queue=nothing").body()).contains("No job meets these conditions.");
	}

	/**
	 * Without script, the address bar has what others can open.
	 */
	@ParameterizedTest
	@CsvSource({ "queue=&type=&state=DEAD&state=READY, jobs?state=DEAD%2CREADY", "queue=, jobs",
			"queue=a%20b&enqueuedFrom=2026-11-28T03:00&finishedBefore=2026-11-28T03:00:07, jobs?queue=a%20b&enqueuedFrom=2026-11-28T03%3A00%3A00Z&finishedBefore=2026-11-28T03%3A00%3A07Z" })
	void formLeadsToAnAddressWithoutEmptyFields(String form, String address) {
		HttpResponse<String> page = get("/jobs?" + form);
		assertThat(page.statusCode()).isEqualTo(303);
		assertThat(page.headers().firstValue("Location").orElseThrow()).endsWith(address);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "state=LATE|must be one or more of", "nope=1|Unknown parameter", "root=x|must be a job id",
					"queue=a&queue=b|is given more than once", "after=x|is not the start of a page" })
	void invalidConditionIsRefusedWithASentence(String conditions, String message) {
		HttpResponse<String> page = get("/jobs?" + conditions);
		assertThat(page.statusCode()).isEqualTo(400);
		assertThat(page.body()).contains(message);
	}

	@Test
	void pageSaysWhatAnActionHasDone() {
		HttpResponse<String> page = get("/jobs?done=job.delete");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("The job is deleted.").doesNotContain("done=job.delete");
	}

	@Test
	void keyThatLooksLikeATimeIsNotChanged() {
		enqueue(mail("emails").key("2026-11-28T03:00"));
		HttpResponse<String> page = get("/jobs?key=2026-11-28T03:00");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("key 2026-11-28T03:00");
	}

	@Test
	void nextPageHasTheSameConditions() {
		for (int i = 0; i < 3; i++) {
			enqueue(mail("emails"));
		}
		String first = get("/jobs?queue=emails&limit=2").body();
		assertThat(first).contains("rel=\"next\"", "queue=emails&amp;limit=2&amp;after=live.emails.");
		String next = first.replaceFirst("(?s).*href=\"/jobqueue([^\"]*)\" rel=\"next\".*", "$1").replace("&amp;", "&");
		assertThat(get(next).body()).contains("First page")
			.containsOnlyOnce("<th scope=\"row\"")
			.doesNotContain("hx-get");
	}

	/**
	 * A page that is refreshed would repeat a search that takes a second.
	 */
	@Test
	void partialSearchOffersToContinueAndIsNotRefreshed() {
		JobList partial = new JobList(List.of(), "done." + new UUID(0, 1), true, true, null);
		String body = TestPages.render("jobs/list.jte", "/jobs", partial);
		assertThat(body).contains("The search stopped after 1 s", ">continue</a>", "/jobs?after=done." + new UUID(0, 1))
			.doesNotContain("hx-get", "No job meets these conditions.", "There are no jobs.");
	}

	@Test
	void hostileTextIsText() {
		insertHostile();
		String body = get("/jobs?state=RETRYING").body();
		assertThat(body).contains("&lt;script&gt;").doesNotContain("<script>alert");
		String filtered = get("/jobs?state=RETRYING&type=%3Cscript%3Ealert('1')%3C/script%3E%22").body();
		assertThat(filtered).doesNotContain("<script>alert").contains("value=\"&lt;script>alert");
	}

	private void insertHostile() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, job_group, unique_key, last_error)
					VALUES (gen_random_uuid(), now() + interval '1 hour', now(), 10, 1, :text, :text, '{}', :text, left(:text, 100), :text)
					""")
			.param("text", HOSTILE.substring(0, 2_000))
			.update();
	}

}

package io.jobqueue.internal.dashboard.jobs;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.Batch;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of a job.
 */
class JobPageTests extends DashboardTestBase {

	@Test
	void waitingJobIsExplained() {
		UUID job = enqueue(JobRequest.of("emails", Map.of("to", "Ada"))
			.type("mail")
			.key("signup-42")
			.group("import")
			.header("tenant", "acme")
			.header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
		String body = get("/jobs/" + job).body();
		assertThat(body).contains("<title>mail · Job queue</title>", "<h1>mail</h1>", job.toString(), "state-ready",
				"user-visible, 10", "signup-42", "<a href=\"/jobqueue/jobs?group=import\">import</a>",
				"{\n  \"to\" : \"Ada\"\n}", "<dt>tenant</dt>", "acme", "4bf92f3577b34da6a3ce929d0e0e4736");
		assertThat(body).contains("No worker is alive that could serve queue 'emails'", "class=\"remedy\"");
	}

	@Test
	void workerOfARunningJobIsLinked() {
		UUID job = enqueue(JobRequest.of("emails", Map.of()).type("mail"));
		UUID worker = UUID.randomUUID();
		this.sql.sql("UPDATE jobqueue_job SET locked_by = ?, claim = 1").param(worker).update();
		assertThat(get("/jobs/" + job).body()).contains("<a href=\"/jobqueue/workers\">%s</a>".formatted(worker));
	}

	@Test
	void attemptsHaveTheirTimesAndErrors() {
		UUID job = UUID.randomUUID();
		insertDead(job, "worker-1", "mail", "java.net.ConnectException: refused");
		String body = get("/jobs/" + job).body();
		assertThat(body).contains("state-dead", "why-bad", "1 of 3, 1 failed", "1s 500ms", "worker-1",
				"java.net.ConnectException: refused\n\tat com.acme.Smtp.send", "id=\"error\"");
	}

	@Test
	void relatedJobsAreDrawnAndListed() {
		UUID first = enqueue(JobRequest.of("orders", Map.of()).type("pay"));
		UUID second = enqueue(JobRequest.of("orders", Map.of()).type("ship").after(first));
		String body = get("/jobs/" + second).body();
		assertThat(body)
			.contains("<a href=\"/jobqueue/jobs/%s\" class=\"node node-ready".formatted(first),
					"class=\"node node-blocked node-current\"", "class=\"edge edge-predecessor\"",
					"<title>pay, ready, orders, %s</title>".formatted(first))
			.contains("must end before")
			.doesNotContain("style=");
	}

	@Test
	void batchesOfAJobAreNamedAndLinked() {
		Batch batch = DashboardApplication.bean(JobQueue.class)
			.batch("import <b>")
			.then(JobRequest.of("orders", Map.of()).type("report"))
			.onFailure(JobRequest.of("orders", Map.of()).type("alarm"))
			.start();
		batch.add(List.of(JobRequest.of("orders", Map.of()).type("pay")));
		String link = "<a href=\"/jobqueue/batches/%s\">import &lt;b&gt;</a>".formatted(batch.id());
		Map<String, String> roles = Map.of("pay", "Member of batch", "report", "Ends the batch", "alarm",
				"Runs if this batch fails");
		roles.forEach((type, role) -> assertThat(text("/jobs/"
				+ this.sql.sql("SELECT id FROM jobqueue_job WHERE type = ?").param(type).query(UUID.class).single()))
			.containsPattern("<dt>" + role + "</dt>\\s*<dd>\\s*\\Q" + link));
		this.sql.sql("DELETE FROM jobqueue_batch").update();
		assertThat(text(
				"/jobs/" + this.sql.sql("SELECT id FROM jobqueue_job WHERE type = 'pay'").query(UUID.class).single()))
			.contains("<code>%s</code>, no longer stored".formatted(batch.id()));
	}

	@Test
	void familyThatIsTooLargeToDrawIsListed() {
		UUID root = enqueue(JobRequest.of("orders", Map.of()).type("import"));
		insertChildren(root, 20);
		String link = "<a href=\"/jobqueue/jobs?root=%s\">list the whole family</a>".formatted(root);
		assertThat(text("/jobs/" + root)).contains("Drawn are the <data value=\"13\">13</data> closest; "
				+ "<data value=\"8\">8</data> others are not: " + link);
		insertChildren(root, 990);
		assertThat(text("/jobs/" + root))
			.contains("more than <data value=\"988\">988</data> others are not, as the drawing "
					+ "reads no more than the first <data value=\"1000\">1,000</data> unfinished", link);
		assertThat(get("/jobs?limit=1000&root=" + root).body().split("<th scope=\"row\"")).hasSize(1 + 1_000);
	}

	private String text(String path) {
		return get(path).body().replaceAll("\\s+", " ");
	}

	private void insertChildren(UUID root, int number) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, parent_id, root_id)
					SELECT gen_random_uuid(), now(), now(), 10, 'orders', 'row', '{}', :root, :root FROM generate_series(1, :number)
					""")
			.param("root", root)
			.param("number", number)
			.update();
	}

	@ParameterizedTest
	@ValueSource(strings = { "01a2205c-289e-7000-ba1b-48c9cd4bc0d1", "nonsense", "%3Cscript%3E" })
	void unknownJobIsNotFound(String id) {
		HttpResponse<String> page = get("/jobs/" + id);
		assertThat(page.statusCode()).isEqualTo(404);
		assertThat(page.body()).contains("purged from the archive after their retention").doesNotContain("<script>");
	}

	/**
	 * In each field that the page shows.
	 */
	@Test
	void hostileTextIsText() {
		UUID job = UUID.randomUUID();
		String text = HOSTILE.substring(0, 2_000);
		insertDead(job, text, text, text);
		this.sql
			.sql("""
					UPDATE jobqueue_archive SET queue = :text, unique_key = :text, ordering_key = :text, limit_key = :text, job_group = :text,
					       headers = jsonb_build_object(:text, :text)::text, progress_percent = 7, progress_message = :text, payload = :text
					""")
			.param("text", text)
			.update();
		String child = UUID.randomUUID().toString();
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, parent_id, root_id)
				VALUES (?::uuid, now(), now(), 10, ?, ?, '{}', ?, ?)
				""").params(List.of(child, text, text, job, job)).update();
		HttpResponse<String> page = get("/jobs/" + job);
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("&lt;script&gt;", child).doesNotContain("<script>alert");
		assertThat(page.body().split("&lt;script(&gt;|>)")).hasSizeGreaterThan(18);
	}

	private void insertDead(UUID job, String worker, String type, String error) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, max_attempts, priority,
					                              state, queue, type, payload, last_error, started_at, history)
					VALUES (:id, 1, now(), now(), now(), 1, 1, 3, 10, 'DEAD', 'emails', :type, '{}',
					        :error || E'\\n\\tat com.acme.Smtp.send', now(),
					        jsonb_build_array(jsonb_build_object('attempt', 1, 'began', now(), 'ended', now() + interval '1.5 s',
					                                             'worker', :worker::text, 'outcome', 'dead', 'error', :error::text)))
					""")
			.param("id", job)
			.param("type", type)
			.param("error", error)
			.param("worker", worker)
			.update();
	}

}

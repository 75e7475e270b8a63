package io.jobqueue.internal.dashboard.overview;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.QueuePause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * The page of pauses.
 */
class PausesPageTests extends PageTestBase {

	@Test
	void nothingIsPaused() {
		assertThat(page("/pauses")).contains("Nothing is paused.", "action=\"/jobqueue/queues/pause\"");
	}

	@Test
	void queueIsPausedAndResumed() {
		worker("host:1", "emails", "now()");
		HttpResponse<String> paused = post("/queues/pause", Map.of("queue", "emails", "type", ""));
		assertThat(paused.statusCode()).isEqualTo(303);
		assertThat(paused.headers().firstValue("Location")).hasValue("/jobqueue/pauses?done=queue.pause");
		assertThat(operations().pauses()).extracting(QueuePause::queue, QueuePause::type)
			.containsExactly(tuple("emails", null));
		assertThat(get("/pauses?done=queue.pause").body()).contains("Paused: running jobs continue", ">emails</bdi>",
				"href=\"/jobqueue/jobs?queue=emails\"");
		post("/queues/resume", Map.of("queue", "emails"));
		assertThat(operations().pauses()).isEmpty();
		assertThat(get("/pauses").body()).contains("Nothing is paused.");
	}

	@Test
	void typeIsPausedAndResumed() {
		post("/queues/pause", Map.of("queue", "emails", "type", "mail"));
		operations().pause("emails");
		assertThat(get("/pauses").body()).contains(">mail</bdi>", ">all</bdi>");
		post("/queues/resume", Map.of("queue", "emails", "type", "mail"));
		assertThat(operations().pauses()).extracting(QueuePause::type).containsExactly((String) null);
	}

	@Test
	void pageSaysWhatNothingHasChanged() {
		worker("host:1", "emails", "now()");
		assertThat(code("pause", Map.of("queue", "emials"))).isEqualTo("queue.pause-unserved");
		assertThat(code("pause", Map.of("queue", "emails"))).isEqualTo("queue.pause");
		assertThat(code("pause", Map.of("queue", "emails"))).isEqualTo("queue.pause-before");
		assertThat(code("resume", Map.of("queue", "emails", "type", "mail"))).isEqualTo("queue.resume-before");
		assertThat(code("resume", Map.of("queue", "emails"))).isEqualTo("queue.resume");
		assertThat(code("resume", Map.of("queue", "emails"))).isEqualTo("queue.resume-before");
		assertThat(get("/pauses?done=queue.pause-unserved").body()).contains("No living worker serves a queue");
		assertThat(get("/pauses?done=queue.pause-before").body()).contains("It was paused before");
		assertThat(get("/pauses?done=queue.resume-before").body()).contains("It was not paused");
	}

	private String code(String action, Map<String, String> form) {
		return post("/queues/" + action, form).headers().firstValue("Location").orElseThrow().replaceAll(".*done=", "");
	}

	/**
	 * Without its type, all of a queue would be paused.
	 */
	@Test
	void unknownFieldIsRefused() {
		HttpResponse<String> answer = post("/queues/pause", Map.of("queue", "emails", "typ", "mail"));
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("Unknown parameter 'typ'");
		assertThat(operations().pauses()).isEmpty();
	}

	@Test
	void reasonIsShownAndLogged() {
		post("/queues/pause", Map.of("queue", "emails", "reason", "<b>SMTP</b> is down"));
		String why = get("/jobs/" + enqueue(JobRequest.of("emails", Map.of()).type("mail"))).body();
		assertThat(List.of(get("/pauses").body(), get("").body(), why))
			.allSatisfy((page) -> assertThat(page).contains("&lt;b&gt;SMTP&lt;/b&gt; is down"));
		post("/queues/resume", Map.of("queue", "emails", "reason", "SMTP is back"));
		assertThat(get("/log").body()).contains("&lt;b&gt;SMTP&lt;/b&gt; is down", "SMTP is back");
	}

	@Test
	void nameOfTheQueueIsRequired() {
		assertThat(post("/queues/pause", Map.of("queue", " ")).statusCode()).isEqualTo(400);
		assertThat(post("/queues/resume", Map.of()).statusCode()).isEqualTo(400);
		HttpResponse<String> invalid = post("/queues/pause", Map.of("queue", "<b>"));
		assertThat(invalid.statusCode()).isEqualTo(400);
		assertThat(invalid.body()).doesNotContain("<b>");
		assertThat(operations().pauses()).isEmpty();
	}

	@Test
	void queueOfALinkIsInTheForm() {
		worker("host:1", "emails,letters", "now()");
		assertThat(page("/pauses?queue=letters")).contains("name=\"queue\" value=\"letters\"",
				"<option value=\"emails\">");
	}

	@Test
	void hostileTextIsText() {
		this.sql.sql("INSERT INTO jobqueue_pause (paused_at, queue, type, paused_by) VALUES (now(), ?, ?, ?)")
			.params(List.of(HOSTILE, HOSTILE, HOSTILE))
			.update();
		assertThat(page("/pauses")).contains("&lt;script&gt;alert(", "&#34;&#39;`")
			.doesNotContain("<script>alert", "&amp;${");
		assertThat(post("/queues/resume", Map.of("queue", HOSTILE, "type", HOSTILE)).statusCode()).isEqualTo(303);
		assertThat(operations().pauses()).isEmpty();
	}

	@Test
	void pausesBeyondTheCapAreCounted() {
		this.sql.sql("""
				INSERT INTO jobqueue_pause (paused_at, queue) SELECT now(), 'queue-' || n FROM generate_series(1, 503) n
				""").update();
		assertThat(page("/pauses")).contains("<data value=\"3\">3</data> more are not shown.");
	}

}

package io.jobqueue.internal.dashboard.dead;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of dead jobs.
 */
class DeadTests extends DashboardTestBase {

	private static final String REFUSED = "java.net.ConnectException at com.acme.Smtp.send";

	private void insertDead(String queue, String type, String fingerprint, String error, int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, started_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload, last_error, history)
					SELECT gen_random_uuid(), n, now(), now(), now(), now(), 3, 3, 10, 'DEAD', ?, ?, '{}', ?,
					       jsonb_build_array(jsonb_build_object('attempt', 3, 'ended', now(), 'worker', 'w', 'outcome', 'DIED',
					                                            'fingerprint', ?::text))
					FROM generate_series(1, ?) n
					""")
			.params(queue, type, error, fingerprint, count)
			.update();
	}

	@Test
	void noJobIsDead() {
		HttpResponse<String> page = get("/dead?queue=none");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).contains("No dead jobs.");
	}

	/**
	 * Those of queues and errors, of actions, and of jobs.
	 */
	@Test
	void linksLeadToPages() {
		insertDead("emails", "mail", REFUSED, REFUSED, 3);
		List<String> links = Pattern.compile("href=\"/jobqueue(/[^\"]*)\"")
			.matcher(get("/dead?type=mail").body())
			.results()
			.map((link) -> link.group(1).replace("&amp;", "&"))
			.filter((link) -> !link.startsWith("/assets"))
			.toList();
		assertThat(links).anyMatch((link) -> link.startsWith("/dead?queue=emails&type=mail&fingerprint="));
		assertThat(links).allSatisfy((link) -> assertThat(get(link).statusCode()).isEqualTo(200));
	}

	@Test
	void jobsAreShownByQueueAndError() {
		insertDead("emails", "mail", REFUSED, REFUSED, 3);
		insertDead("emails", "fax", "java.lang.IllegalStateException at com.acme.Fax.send", "line busy", 2);
		insertDead("invoices", "invoice", REFUSED, REFUSED, 1);
		String all = get("/dead").body();
		assertThat(all).contains("emails</a>").contains("<data value=\"5\">5</data>").contains("invoices</a>");
		assertThat(all).contains("fingerprint=java.net.ConnectException%20at%20com.acme.Smtp.send");
		assertThat(all).contains("/jobqueue/bulk/retry?state=DEAD\"").contains("/jobqueue/bulk/replay?state=DEAD\"");
		String faxes = get("/dead?queue=emails&type=fax").body();
		assertThat(faxes).contains("line busy")
			.contains("/jobqueue/bulk/delete?state=DEAD&amp;queue=emails&amp;type=fax");
		assertThat(faxes.split(">fax</td>", -1)).hasSize(3);
		assertThat(faxes).contains("<caption>Errors of dead jobs, of all types</caption>");
		assertThat(get("/dead?type=fax").body()).contains("<caption>Dead jobs of each queue, of all types</caption>");
		String refused = get("/dead?queue=emails&fingerprint=" + URLEncoder.encode(REFUSED, StandardCharsets.UTF_8))
			.body();
		assertThat(refused.split(">mail</td>", -1)).hasSize(4);
		assertThat(refused).doesNotContain("Errors of dead jobs").doesNotContain("line busy");
	}

	@Test
	void pageFollowsPage() {
		insertDead("emails", "mail", REFUSED, REFUSED, 51);
		String first = get("/dead?queue=emails&type=").body();
		assertThat(first.split(">mail</td>", -1)).hasSize(51);
		String next = first.replaceAll("(?s).*href=\"/jobqueue(/dead[^\"]*)\" rel=\"next\".*", "$1")
			.replace("&amp;", "&");
		assertThat(get(next).body().split(">mail</td>", -1)).hasSize(2);
	}

	@Test
	void hostileTextIsText() {
		insertDead("hostile", HOSTILE, HOSTILE.substring(0, 100), HOSTILE, 1);
		String page = get("/dead?queue=hostile").body();
		assertThat(page).contains("&lt;script&gt;").doesNotContain("<script>alert");
		assertThat(get("/dead?queue=" + URLEncoder.encode("\"><script>", StandardCharsets.UTF_8)).body())
			.doesNotContain("\"><script>");
		assertThat(get("/dead?after=x").statusCode()).isEqualTo(400);
	}

}

package io.jobqueue.internal.dashboard.browser;

import java.util.Map;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.JobRequest;
import io.jobqueue.QueuePause;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * The overview, the workers and the pauses.
 */
class OverviewBrowserTests extends BrowserTestBase {

	@Test
	void firstVisitIsAccessible() {
		assertAccessible("", "overview-new");
	}

	@ParameterizedTest
	@CsvSource({ "'', overview-problems", "/workers, workers" })
	void pageIsAccessible(String path, String name) {
		fill();
		assertAccessible(path, name);
	}

	/**
	 * Problems of each kind, and a worker with a name, a queue and a limit that are long.
	 */
	private void fill() {
		for (String queue : new String[] { "emails", "invoices", "reports" }) {
			enqueue(JobRequest.of(queue, Map.of("to", "Ada")).type("mail"));
		}
		operations().pause("invoices");
		operations().pause("emails", "x".repeat(150));
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues, limits,
					                             application)
					SELECT gen_random_uuid(), now() - n * interval '1 hour', now() - interval '2 hours', 60000, gen_random_uuid(), false,
					       repeat('host', 1 + n * 50) || ':1', 'emails,invoices,' || repeat('q', 1 + n * 300), repeat('limit ', n * 50), 'shop'
					FROM generate_series(0, 1) n;
					UPDATE jobqueue_job SET locked_by = w.id, claim = 1, lease_until = now() - interval '1 second'
					FROM jobqueue_worker w WHERE w.limits = '' AND queue = 'emails';
					INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids, claimed_at)
					SELECT locked_by, claim, now(), 25, queue, ARRAY[id], now() - interval '31 minutes' FROM jobqueue_job
					WHERE locked_by IS NOT NULL
					""")
			.update();
	}

	/**
	 * By keyboard only, from the problem to the overview that has none.
	 */
	@Test
	void pausedQueueIsResumedFromTheOverview() {
		operations().pause("invoices");
		Page page = open("");
		page.locator(".condition a").focus();
		page.keyboard().press("Enter");
		page.locator("input[placeholder=Reason]").focus();
		page.keyboard().type("The bank is back");
		page.keyboard().press("Enter");
		assertThat(page.locator("main")).containsText("Resumed: its jobs begin again.");
		assertThat(page.locator("main")).containsText("Nothing is paused.");
		assertThat(operations().pauses()).isEmpty();
		assertThat(open("/log").locator("main")).containsText("The bank is back");
	}

	@Test
	void queueIsPausedByAForm() {
		Page page = open("/pauses?queue=emails");
		page.locator("input[name=type]").fill("newsletter");
		page.locator("input[name=type]").press("Enter");
		assertThat(page.locator("main")).containsText("Paused: running jobs continue");
		assertThat(operations().pauses()).extracting(QueuePause::queue, QueuePause::type)
			.containsExactly(tuple("emails", "newsletter"));
	}

}

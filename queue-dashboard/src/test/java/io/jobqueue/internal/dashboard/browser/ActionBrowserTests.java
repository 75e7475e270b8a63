package io.jobqueue.internal.dashboard.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.WorkflowState;
import io.jobqueue.Workflows;
import io.jobqueue.internal.dashboard.DashboardApplication;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead jobs, actions on all of them, and the operator log.
 */
class ActionBrowserTests extends BrowserTestBase {

	private void insertDead(int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, started_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload, last_error, history)
					SELECT gen_random_uuid(), n, now(), now() - interval '1 hour', now() - interval '1 hour', now(), 25, 25, 10, 'DEAD',
					       'emails', 'confirmation-email', '{}', 'java.net.ConnectException: Connection refused',
					       '[{"attempt": 25, "ended": "2026-11-28T04:00:00Z", "worker": "w", "outcome": "DIED",
					          "fingerprint": "java.net.ConnectException at com.acme.Smtp.send"}]'
					FROM generate_series(1, ?) n
					""")
			.param(count)
			.update();
	}

	private long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	/**
	 * By keyboard only, from the list of dead jobs to the operator log.
	 */
	@Test
	void pageGoesOnUntilAllJobsAreChanged() {
		insertDead(1_700);
		Page page = open("/dead?queue=emails");
		page.getByText("Retry all …").focus();
		page.keyboard().press("Enter");
		assertThat(page.locator(".figure")).containsText("1,700 jobs");
		page.getByLabel("Reason").focus();
		page.keyboard().type("the server is <b>back</b>");
		page.keyboard().press("Enter");
		assertThat(page.locator("#bulk-status")).containsText("Finished: 1,700 jobs retried");
		assertThat(page.getByText("Stop")).isHidden();
		assertAccessible(page, "bulk-finished");
		page.setViewportSize(1_280, 720);
		assertThat(count("jobqueue_job")).isEqualTo(1_700);
		page.getByText("Operator log").last().focus();
		page.keyboard().press("Enter");
		assertThat(page.locator("tbody tr")).hasCount(1);
		assertThat(page.locator("tbody tr")).containsText("the server is <b>back</b>");
		assertThat(page.locator("tbody tr")).containsText("in 4 steps");
	}

	/**
	 * By keyboard only, from the list of workflows to the new job of the failed step.
	 */
	@Test
	void failedStepIsRetriedFromTheListOfWorkflows() {
		UUID instance = DashboardApplication.bean(Workflows.class).start("fulfilment", "order 7").id();
		UUID job = this.sql.sql("DELETE FROM jobqueue_job RETURNING id").query(UUID.class).single();
		this.sql.sql("""
				UPDATE jobqueue_workflow SET state = 'FAILED', finished_at = now();
				UPDATE jobqueue_workflow_step SET state = CASE name WHEN 'pay' THEN 'FAILED' ELSE 'SKIPPED' END
				""").update();
		Page page = open("/workflows");
		page.locator("a[href$='state=FAILED']").press("Enter");
		page.locator("tbody a").press("Enter");
		assertThat(page.locator(".node-failed")).containsText("pay");
		page.getByText("Retry from the failed step …").press("Enter");
		page.getByLabel("Reason").focus();
		page.keyboard().type("the bank is <b>back</b>");
		page.keyboard().press("Enter");
		assertThat(page.locator(".done")).containsText("The failed steps run again");
		assertThat(page.locator("a.node-ready")).containsText("pay");
		page.locator("a.node-ready").press("Enter");
		assertThat(page.locator(".node-current")).containsText("pay");
		assertThat(page).not().hasURL(Pattern.compile("/jobs/" + job));
		assertThat(open("/log").locator("tbody tr")).containsText("the bank is <b>back</b>");
		assertThat(DashboardApplication.bean(Workflows.class).find(instance).orElseThrow().state())
			.isEqualTo(WorkflowState.RUNNING);
	}

	@Test
	void pageWithoutScriptsDoesAStepAtATime() {
		insertDead(600);
		Page page = open("/bulk/delete?state=DEAD", new Browser.NewContextOptions().setJavaScriptEnabled(false));
		page.getByText("Delete these jobs").click();
		assertThat(page.locator("#bulk-status")).containsText("500 jobs deleted");
		assertThat(count("jobqueue_archive")).isEqualTo(100);
		page.getByText("Next step").click();
		assertThat(page.locator("#bulk-status")).containsText("Finished: 600 jobs deleted");
		page.reload();
		assertThat(page.locator("main")).containsText("Step 2 was requested before, and is not repeated.");
	}

	/**
	 * The browser would send the first step again.
	 */
	@Test
	void reloadOfAFinishedPageIsAPreview() {
		insertDead(1);
		Page page = open("/bulk/delete?state=DEAD&queue=emails");
		page.getByText("Delete these jobs").click();
		assertThat(page.locator("#bulk-status")).containsText("Finished: 1 job deleted");
		page.reload();
		assertThat(page.locator(".figure")).hasText("0 jobs");
		assertThat(page.locator("dl")).containsText("emails");
	}

	@Test
	void stepThatFailsEndsTheStepsAndIsNamed() {
		insertDead(1_700);
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN IF (SELECT steps = 3 FROM jobqueue_operator_log) THEN RAISE 'no'; END IF; RETURN OLD; END $$;
				CREATE TRIGGER refuse BEFORE DELETE ON jobqueue_archive FOR EACH ROW EXECUTE FUNCTION refuse()
				""").update();
		try {
			Page page = open("/bulk/delete?state=DEAD");
			page.getByText("Delete these jobs").click();
			assertThat(page.locator("main")).containsText("Step 3 was not completed: The database failed");
			assertThat(page.locator("main")).containsText("have changed 1,000 jobs");
			assertThat(page.locator("main")).isFocused();
			assertThat(takeErrors()).singleElement().asString().contains("a status of 503");
			assertThat(count("jobqueue_archive")).isEqualTo(700);
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse CASCADE").update();
		}
	}

	/**
	 * The second page has the fields of the first step, as another tab that was opened
	 * from the same preview.
	 */
	@Test
	void twoPagesChangeEachJobOnce() {
		insertDead(1_200);
		Page page = open("/bulk/replay?state=DEAD");
		Page other = open("/bulk/replay?state=DEAD", page.context());
		String form = (String) page.evaluate("document.querySelector('form.stacked').innerHTML");
		other.evaluate("(form) => document.querySelector('form.stacked').innerHTML = form", form);
		page.getByText("Replay these jobs").click();
		other.getByText("Replay these jobs").click();
		assertThat(page.locator("#bulk-status")).containsText("Finished: 1,200 jobs copied");
		assertThat(other.locator("main")).containsText("Step 1 was requested before");
		assertThat(count("jobqueue_job")).isEqualTo(1_200);
		assertThat(this.sql.sql("SELECT count(DISTINCT ancestor_id) FROM jobqueue_job").query(Long.class).single())
			.isEqualTo(1_200);
	}

	/**
	 * The first request has reached the server when the second click follows.
	 */
	@Test
	void secondClickDoesNothingTwice() {
		insertDead(1);
		Page page = open("/jobs/" + this.sql.sql("SELECT id FROM jobqueue_archive").query(UUID.class).single());
		List<Route> sent = new ArrayList<>();
		page.route("**/replay", sent::add);
		page.getByText("Replay a copy …").click();
		BoundingBox button = page.locator("form[action$='/replay'] button").boundingBox();
		click(page, button);
		page.waitForCondition(() -> sent.size() == 1);
		click(page, button);
		sent.get(0).resume();
		assertThat(page.locator(".done")).containsText("This is the copy.");
		assertThat(page).hasURL(Pattern.compile("/jobs/[-\\w]+$"));
		assertThat(sent).hasSize(1);
		assertThat(count("jobqueue_job")).isOne();
	}

	/**
	 * The page begins to refresh itself, and the user opens an action before the answer
	 * arrives.
	 */
	@Test
	void refreshUnderwayDoesNotCloseAnAction() {
		insertDead(1);
		Page page = open("/jobs/" + this.sql.sql("SELECT id FROM jobqueue_archive").query(UUID.class).single());
		List<Route> refreshes = new ArrayList<>();
		page.route("**/jobs/*", refreshes::add);
		page.evaluate("""
				document.addEventListener('htmx:afterOnLoad', () => window.answered = true);
				document.body.dispatchEvent(new Event('refresh'));
				""");
		page.waitForCondition(() -> refreshes.size() == 1);
		page.getByText("Replay a copy …").click();
		page.locator("form[action$='/replay'] input[name=reason]").fill("a typo");
		refreshes.get(0).resume();
		page.waitForFunction("() => window.answered");
		assertThat(page.locator("form[action$='/replay'] input[name=reason]")).isVisible();
		assertThat(page.locator("form[action$='/replay'] input[name=reason]")).hasValue("a typo");
	}

	/**
	 * By the key Esc, which the page sees, or by the browser's button, in whose place is
	 * another key here. The server never answers.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "Escape", "s" })
	void formThatTheUserHasStoppedIsSentAgain(String key) {
		insertDead(1);
		Page page = open("/jobs/" + this.sql.sql("SELECT id FROM jobqueue_archive").query(UUID.class).single());
		List<Route> sent = new ArrayList<>();
		page.evaluate("addEventListener('keydown', ({ key }) => key === 's' && stop())");
		page.route("**/replay", sent::add);
		page.getByText("Replay a copy …").click();
		BoundingBox button = page.locator("form[action$='/replay'] button").boundingBox();
		click(page, button);
		page.waitForCondition(() -> sent.size() == 1);
		page.keyboard().press(key);
		click(page, button);
		page.waitForCondition(() -> sent.size() == 2);
	}

	/**
	 * The press begins before the second step is done, and ends while the page requests
	 * the third.
	 */
	@Test
	void pressThatBeginsDuringAStepStopsTheAction() {
		insertDead(1_700);
		Page page = open("/bulk/delete?state=DEAD");
		List<Route> steps = new ArrayList<>();
		page.route("**/bulk/delete?*", (route) -> {
			if (route.request().resourceType().equals("xhr")) {
				steps.add(route);
			}
			else {
				route.resume();
			}
		});
		page.getByText("Delete these jobs").click();
		page.waitForCondition(() -> steps.size() == 1);
		page.getByText("Stop").hover();
		page.mouse().down();
		steps.get(0).resume();
		page.waitForCondition(() -> steps.size() == 2);
		assertThat(page.getByText("Stop")).isFocused();
		screenshot(page, "bulk-steps");
		page.mouse().up();
		assertThat(page.locator("tbody tr")).containsText("1,000");
		assertThat(count("jobqueue_archive")).isEqualTo(700);
		assertThat(this.sql.sql("SELECT steps FROM jobqueue_operator_log").query(Integer.class).single()).isEqualTo(2);
	}

	/**
	 * A click on the button itself would wait for the page that follows.
	 */
	private static void click(Page page, BoundingBox button) {
		page.mouse().click(button.x + button.width / 2, button.y + button.height / 2);
	}

	@Test
	void lostServerIsNamed() {
		insertDead(1_700);
		Page page = open("/bulk/delete?state=DEAD");
		page.route("**/bulk/**", (route) -> {
			if (route.request().resourceType().equals("xhr")) {
				route.abort();
			}
			else {
				route.resume();
			}
		});
		page.getByText("Delete these jobs").click();
		assertThat(page.getByRole(AriaRole.ALERT)).containsText("The server does not answer.");
		assertThat(page.getByText("Next step")).isVisible();
		assertThat(takeErrors()).anyMatch((error) -> error.contains("ERR_FAILED"));
		assertThat(count("jobqueue_archive")).isEqualTo(1_200);
	}

}

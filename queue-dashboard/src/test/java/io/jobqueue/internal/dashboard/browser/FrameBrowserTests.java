package io.jobqueue.internal.dashboard.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.live.QuickStreams;
import io.jobqueue.internal.dashboard.view.CachedReading;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What all pages have in common, seen on the overview. Changes are written by connections
 * that are closed: the database counts them at once.
 */
class FrameBrowserTests extends BrowserTestBase {

	@Test
	void pageRefreshesWhenSomethingHasChanged() {
		enqueue("emails");
		Page page = open("");
		page.locator("#live .scroll").focus();
		this.sql.sql("UPDATE jobqueue_job SET queue = 'invoices'").update();
		assertThat(page.locator("#live")).containsText("invoices");
		assertThat(page.locator("#live .scroll")).isFocused();
	}

	/**
	 * As a script of the browser's user may set them. To copy them as attributes would
	 * violate the policy.
	 */
	@Test
	void refreshLosesStylesOfElements() {
		operations().pause("emails");
		Page page = open("/pauses");
		page.evaluate("document.querySelector('#live input[id]').style.caretColor = 'transparent'");
		operations().pause("invoices");
		CachedReading.outdate();
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		assertThat(page.locator("#live")).containsText("invoices");
	}

	/**
	 * The text stays also when the user has left its field.
	 */
	@Test
	void refreshKeepsWhatTheUserHasWritten() {
		operations().pause("emails");
		Page page = open("/pauses");
		Locator reason = page.locator("#live input[name=reason]");
		reason.fill("the server is back");
		reason.blur();
		page.evaluate("document.addEventListener('htmx:afterOnLoad', () => window.answered = true)");
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		page.waitForFunction("() => window.answered");
		assertThat(reason).hasValue("the server is back");
	}

	/**
	 * Each problem leads to the same page.
	 */
	@Test
	void refreshKeepsTheFocusAmongLinksToOnePage() {
		List.of("emails", "invoices", "reports").forEach(operations()::pause);
		Page page = open("");
		page.locator(".condition a").last().focus();
		refresh(page);
		assertThat(page.locator(".condition a").last()).isFocused();
	}

	/**
	 * The next link by keyboard is one of the table again.
	 */
	@Test
	void refreshLeavesTheFocusInATableThatLosesItsLink() {
		enqueue("emails");
		Page page = open("");
		page.locator("a[href$='state=READY']").focus();
		this.sql.sql("DELETE FROM jobqueue_job").update();
		enqueue("invoices");
		refresh(page);
		assertThat(page.locator("#live .scroll")).isFocused();
	}

	@Test
	void refreshKeepsTheFocusOnAListThatGrows() {
		for (int queue = 0; queue < 10; queue++) {
			operations().pause("queue-" + queue);
		}
		Page page = open("");
		page.locator("#further-problems summary").focus();
		operations().pause("queue-10");
		refresh(page);
		assertThat(page.locator("#further-problems summary")).isFocused();
	}

	@Test
	void refreshKeepsTheColumnsInView() {
		enqueue("emails-" + "x".repeat(80));
		Page page = open("", new Browser.NewContextOptions().setViewportSize(840, 740));
		page.evaluate("document.querySelector('#live .scroll').scrollLeft = 20");
		refresh(page);
		assertThat(page.evaluate("document.querySelector('#live .scroll').scrollLeft")).isEqualTo(20);
	}

	private static void refresh(Page page) {
		CachedReading.outdate();
		page.evaluate("""
				() => new Promise((resolve) => {
					document.addEventListener('htmx:afterSettle', resolve, { once: true });
					document.body.dispatchEvent(new Event('refresh'));
				})""");
	}

	@Test
	void deletedJobLeadsToItsMessage() {
		UUID job = enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail"));
		Page page = open("/jobs/" + job);
		operations().delete(job);
		CachedReading.outdate();
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		assertThat(page.locator("main")).containsText("There is no job");
		expectErrors();
	}

	@Test
	void wideDrawingBeginsWithItsJob() {
		UUID job = enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail"));
		for (int layer = 0; layer < 5; layer++) {
			job = enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail").after(job));
		}
		Page page = open("/jobs/" + job, new Browser.NewContextOptions().setViewportSize(360, 740));
		BoundingBox node = page.locator(".node-current").boundingBox();
		assertThat(node.x).isPositive();
		assertThat(node.x + node.width).isLessThan(360);
	}

	@Test
	void keyboardSkipsTheNavigation() {
		Page page = open("");
		page.keyboard().press("Tab");
		assertThat(page.locator(".skip")).isFocused();
		assertThat(page.locator(".skip")).isInViewport();
		page.keyboard().press("Enter");
		assertThat(page.locator("main")).isFocused();
	}

	@Test
	void pageWorksWithoutScripts() {
		enqueue("emails");
		Page page = open("", new Browser.NewContextOptions().setJavaScriptEnabled(false));
		assertThat(page.locator("#live")).containsText("emails");
	}

	@Test
	void tabsShareAStream() {
		long before = DashboardApplication.openedStreams();
		Page page = open("");
		Page other = open("", page.context());
		enqueue("emails");
		this.sql.sql("UPDATE jobqueue_job SET queue = 'invoices'").update();
		assertThat(page.locator("#live")).containsText("invoices");
		other.bringToFront();
		assertThat(other.locator("#live")).containsText("invoices");
		assertThat(DashboardApplication.openedStreams() - before).isOne();
	}

	@Test
	void tabHasAStreamOfItsOwnWithoutSharedWorkers() {
		Page page = openWithoutSharedWorkers();
		page.reload();
		enqueue("emails");
		this.sql.sql("UPDATE jobqueue_job SET queue = 'invoices'").update();
		assertThat(page.locator("#live")).containsText("invoices");
		assertThat(page.locator("#connection")).isHidden();
	}

	/**
	 * Browsers open six connections to a server without HTTP/2.
	 */
	@Test
	void tabInTheBackgroundHasNoStreamWithoutSharedWorkers() {
		Page page = openWithoutSharedWorkers();
		page.reload();
		assertThat(page.locator("#connection")).isHidden();
		long before = DashboardApplication.openedStreams();
		List<String> ended = new ArrayList<>();
		page.onRequestFailed((request) -> ended.add(request.url()));
		show(page, false);
		page.waitForCondition(() -> ended.contains(address() + "/live"));
		enqueue("invoices");
		show(page, true);
		assertThat(page.locator("#live")).containsText("invoices");
		page.waitForCondition(() -> DashboardApplication.openedStreams() == before + 1);
	}

	private static void show(Page page, boolean shown) {
		page.evaluate(
				"(shown) => { Object.defineProperty(document, 'hidden', { get: () => !shown, configurable: true });"
						+ " document.dispatchEvent(new Event('visibilitychange')); }",
				shown);
	}

	/**
	 * 25 hours from now may be the day after tomorrow, and a change of clocks repeats an
	 * hour.
	 */
	@Test
	void timesAreNoNamesOfDays() {
		Page page = open("", new Browser.NewContextOptions().setLocale("en").setTimezoneId("Europe/Berlin"));
		assertThat(page.evaluate("[25, -25, 0.0101].map((hours) => age(Date.now() + hours * 3_600_000))"))
			.isEqualTo(List.of("in 1 day", "1 day ago", "in 36 seconds"));
		assertThat(
				page.evaluate("['T00:30Z', 'T01:30Z'].map((time) => absolute.format(new Date('2026-10-25' + time)))"))
			.asString()
			.contains("2:30:00 AM GMT+2", "2:30:00 AM GMT+1");
	}

	@Test
	void pageShowsThatItIsNotLive() {
		Page page = openWithoutSharedWorkers();
		page.route("**/live", (route) -> route.fulfill(new Route.FulfillOptions().setStatus(204)));
		page.reload();
		assertThat(page.locator("#connection")).hasText("Not live: reconnecting");
	}

	@Test
	void pageShowsThatTheDatabaseIsLost() {
		Page page = open("");
		QuickStreams.lose(true);
		try {
			assertThat(page.locator("#connection")).hasText("Not live: reconnecting");
		}
		finally {
			QuickStreams.lose(false);
		}
		assertThat(page.locator("#connection")).isHidden();
	}

	/**
	 * The policy keeps the refresh from following the redirect, which the browser
	 * reports.
	 */
	@Test
	void endedSessionLeadsToALoginAtAnotherServer() {
		Page page = open("");
		String login = DashboardApplication.address().replace("localhost", "127.0.0.1") + "/login";
		page.route(DashboardApplication.address(), (route) -> route
			.fulfill(new Route.FulfillOptions().setStatus(302).setHeaders(Map.of("Location", login))));
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		page.waitForURL(login);
		assertThat(expectErrors()).anySatisfy((error) -> assertThat(error).contains("connect-src"));
	}

	private Page openWithoutSharedWorkers() {
		Page page = open("");
		page.addInitScript("delete window.SharedWorker");
		return page;
	}

	private void enqueue(String queue) {
		enqueue(JobRequest.of(queue, Map.of("to", "Ada")).type("mail"));
	}

}

package io.jobqueue.internal.dashboard.browser;

import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;

import io.jobqueue.QueuePause;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * Pauses, from the overview and by a form.
 */
class OverviewBrowserTests extends BrowserTestBase {

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
		assertThat(page.locator("main")).containsText("Paused. No living worker serves a queue of this name");
		assertThat(operations().pauses()).extracting(QueuePause::queue, QueuePause::type)
			.containsExactly(tuple("emails", "newsletter"));
	}

}

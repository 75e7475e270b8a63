package io.jobqueue.internal.dashboard.recurring;

import java.time.ZoneId;
import java.util.Map;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.browser.BrowserTestBase;
import io.jobqueue.internal.dashboard.view.CachedReading;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/**
 * The page of schedules in a browser.
 */
@Tag("slow") // needs a browser
class RecurringBrowserTests extends BrowserTestBase {

	private final RecurringJobs schedules = DashboardApplication.bean(RecurringJobs.class);

	private RecurringJobRequest digest(String name, String cron) {
		return RecurringJobRequest.of(name, JobRequest.of("emails", Map.of("to", "Ada")).type("Digest"))
			.cron(cron)
			.zone(ZoneId.of("Europe/Berlin"));
	}

	@Test
	void scheduleIsDeletedByKeyboardAfterAQuestion() {
		this.schedules.save(digest("nightly", "0 0 3 * * *"));
		Page page = open("/recurring");
		page.locator("summary", new Page.LocatorOptions().setHasText("Delete")).press("Enter");
		page.onceDialog(Dialog::dismiss);
		page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Delete").setExact(true)).press("Enter");
		assertThat(page.locator("#live")).containsText("nightly");
		page.onceDialog(Dialog::accept);
		page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Delete").setExact(true)).press("Enter");
		assertThat(page.locator(".done")).containsText("The schedule is deleted.");
	}

	/**
	 * A key that is pressed after the refresh must not act on another schedule.
	 */
	@Test
	void refreshKeepsTheFocusInItsRow() {
		this.schedules.save(digest("nightly", "0 0 3 * * *"));
		this.schedules.save(digest("weekly", "0 0 3 * * MON"));
		Page page = open("/recurring");
		Locator pause = page.locator("tr", new Page.LocatorOptions().setHasText("weekly"))
			.locator("summary", new Locator.LocatorOptions().setHasText("Pause"));
		pause.focus();
		this.schedules.save(digest("monthly", "0 0 3 1 * *"));
		CachedReading.outdate();
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		assertThat(page.locator("#live")).containsText("monthly");
		assertThat(pause).isFocused();
	}

}

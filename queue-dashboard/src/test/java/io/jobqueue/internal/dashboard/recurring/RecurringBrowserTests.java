package io.jobqueue.internal.dashboard.recurring;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.browser.BrowserTestBase;

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
	void pageIsAccessible() {
		this.schedules.save(digest("digest-weekdays", "0 0 7 * * MON-FRI"));
		this.schedules.save(digest("billing.monthly-invoices", "0 30 6 1 * *"));
		this.schedules.save(digest("nearest-weekday", "0 0 12 15W * *"));
		this.schedules.save(RecurringJobRequest.of("heartbeat", JobRequest.of("checks", Map.of()).type("Check"))
			.fixedRate(Duration.ofMinutes(5)));
		this.schedules.trigger("heartbeat");
		this.schedules.trigger("digest-weekdays");
		this.schedules.pause("billing.monthly-invoices");
		this.sql.sql(
				"UPDATE jobqueue_recurring SET next_at = now() - interval '9 minutes', skipped = 1234, missed = 3 WHERE name = 'heartbeat'")
			.update();
		this.sql.sql("UPDATE jobqueue_recurring SET declared = true WHERE name LIKE 'digest%'").update();
		assertAccessible("/recurring", "recurring");
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

}

package io.jobqueue.internal.dashboard.chart;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.dashboard.browser.BrowserTestBase;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The charts of the overview.
 */
@Tag("slow") // needs a browser
class ChartBrowserTests extends BrowserTestBase {

	private static final String FAILURES = ".chart[data-src*='failures.json']";

	/**
	 * Two days of an application that was off for an hour, failed for some minutes, and
	 * is late.
	 */
	@BeforeEach
	void record() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled,
					    age_millis, run_times)
					SELECT now() - t * interval '1 minute', 1, gen_random_uuid(), 'charted', 10, 300 + 200 * sin(t / 17.0),
					       CASE WHEN t BETWEEN 20 AND 30 THEN 30 - abs(t - 25) ELSE t % 3 END, CASE WHEN t BETWEEN 22 AND 26 THEN 3 ELSE 0 END,
					       0, CASE WHEN t BETWEEN 0 AND 12 THEN (13 - t) * 40000 END, array_fill(0, ARRAY[18]) || ARRAY[50, 200, t % 7, 30, 5, 2]
					FROM generate_series(0, 2880) t
					WHERE t NOT BETWEEN 100 AND 160
					""")
			.update();
	}

	@Test
	void tableHasTheValuesOfTheChart() {
		Locator chart = open("?queue=charted").locator(FAILURES);
		chart.locator("summary").focus();
		chart.locator("summary").press("Enter");
		assertThat(chart.locator("details thead th")).hasText(new String[] { "Time", "Failed and retried", "Dead" });
		assertThat(chart.locator("details tbody tr")).hasCount(60);
		assertThat(chart.locator("details tbody tr").nth(24).locator("td").nth(1)).hasText("3");
	}

	/**
	 * A day of 25 hours, of which two begin at 2.
	 */
	@Test
	void timesThatAChangeOfClocksRepeatsHaveTheirZone() {
		Page page = open("?range=day", new Browser.NewContextOptions().setTimezoneId("Europe/Berlin").setLocale("en"));
		page.route("**/charts/failures.json**", (route) -> route.fulfill(new Route.FulfillOptions().setBody("""
				{"from": %s, "step": 600, "series": [{"label": "Dead", "values": %s}]}
				""".formatted(Instant.parse("2026-10-24T12:00:00Z").getEpochSecond(), Collections.nCopies(144, 1)))));
		page.reload();
		Locator chart = page.locator(FAILURES);
		chart.locator("summary").press("Enter");
		assertThat(chart.locator("details tbody tr")).hasCount(144);
		assertThat(chart.locator("details tbody th").allTextContents()).doesNotHaveDuplicates()
			.contains("Sun, 02:30 AM GMT+2", "Sun, 02:30 AM GMT+1");
		screenshot(page, "clocks-set-back");
	}

	@Test
	void legendHasTheLatestValues() {
		Page page = open("?queue=charted");
		assertThat(page.locator(FAILURES + " .u-legend")).containsText("Dead0");
		assertThat(page.locator(".chart[data-src*='run-time.json'] .u-legend")).containsText("ms");
	}

	@Test
	void chartsAreDrawnAgainInAnotherScheme() {
		Page page = open("?queue=charted");
		assertThat(page.locator(".chart canvas")).hasCount(4);
		Object light = page.evaluate("document.querySelector('.chart canvas').toDataURL()");
		page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
		page.waitForFunction("light => document.querySelector('.chart canvas').toDataURL() !== light", light);
		assertThat(page.locator(".chart canvas")).hasCount(4);
		assertThat(page.locator(FAILURES + " .u-legend")).containsText("Dead0");
	}

	@Test
	void chartsRefreshWithTheirPage() {
		Page page = open("?queue=charted");
		page.clock().install();
		page.reload();
		assertThat(page.locator(".chart canvas")).hasCount(4);
		page.clock().fastForward(Duration.ofSeconds(11).toMillis());
		page.waitForRequest("**/charts/failures.json**",
				() -> page.evaluate("document.body.dispatchEvent(new Event('refresh'))"));
	}

	@Test
	void queueAndTimeAreChosenByKeyboard() {
		Page page = open("?queue=charted");
		page.getByText("Last week").press("Enter");
		page.waitForURL("**range=week**");
		assertThat(page.locator("[name=queue]")).hasValue("charted");
		page.locator("[name=queue]").press("Home");
		page.locator("[name=queue]").press("Tab");
		page.keyboard().press("Enter");
		page.waitForURL("**queue=#charts");
		assertThat(page.locator(".chart canvas")).hasCount(4);
		assertThat(page.url()).contains("range=week");
	}

}

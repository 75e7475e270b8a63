package io.jobqueue.internal.dashboard.browser;

import java.util.UUID;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each page, empty and of a busy application, by the rules of axe-core in both colour
 * schemes, by keyboard, and on a phone.
 */
class PageBrowserTests extends BrowserTestBase {

	@ParameterizedTest
	@ValueSource(strings = { "", "/jobs", "/errors", "/dead", "/recurring", "/batches", "/workers", "/pauses", "/log" })
	void emptyPageIsAccessible(String path) {
		assertAccessible(path, "empty" + path.replace('/', '-'));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?range=day&queue=emails", "/jobs", "/jobs?queue=emails&state=DEAD", "/jobs/{job}",
			"/errors", "/dead", "/recurring", "/batches", "/batches/{batch}", "/workers", "/pauses", "/log",
			"/bulk/reschedule?queue=emails", "/unknown" })
	void pageIsAccessible(String path) {
		UUID batch = new BusyApplication(this.sql).fill();
		assertAccessible(
				path.replace("{job}", BusyApplication.DEAD_JOB.toString()).replace("{batch}", batch.toString()),
				"page" + path.replaceAll("\\W+", "-"));
	}

}

package io.jobqueue.internal.dashboard.browser;

import java.util.UUID;
import java.util.stream.Stream;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each page, empty and of a busy application, by the rules of axe-core in both colour
 * schemes, by keyboard, and on a phone. All of them are opened in one tab after the
 * other: the tables are filled, and files are loaded, once.
 */
class PageBrowserTests extends BrowserTestBase {

	@TestFactory
	Stream<DynamicTest> emptyPageIsAccessible() {
		return accessible("empty", Stream.of("", "/jobs", "/errors", "/dead", "/recurring", "/batches", "/workflows",
				"/workflows?name=fulfilment", "/workers", "/pauses", "/log"));
	}

	@TestFactory
	Stream<DynamicTest> pageIsAccessible() {
		UUID batch = new BusyApplication(this.sql).fill();
		UUID retrying = this.sql.sql("SELECT id FROM jobqueue_job WHERE parent_id IS NOT NULL LIMIT 1")
			.query(UUID.class)
			.single();
		UUID failed = this.sql.sql("SELECT id FROM jobqueue_workflow WHERE state = 'FAILED'")
			.query(UUID.class)
			.single();
		UUID step = this.sql.sql("SELECT id FROM jobqueue_job WHERE type = 'Tell'").query(UUID.class).single();
		return accessible("page",
				Stream.of("", "?range=day&queue=emails", "/jobs", "/jobs/" + retrying,
						"/jobs/" + BusyApplication.DEAD_JOB, "/errors", "/dead", "/recurring", "/batches",
						"/batches/" + batch, "/workflows", "/workflows?name=fulfilment", "/workflows/" + failed,
						"/jobs/" + step, "/workers", "/pauses", "/log", "/bulk/reschedule?queue=emails", "/unknown"));
	}

	private Stream<DynamicTest> accessible(String name, Stream<String> paths) {
		Page page = open("");
		return paths.map((path) -> DynamicTest.dynamicTest(path.isEmpty() ? "overview" : path, () -> {
			page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
			page.setViewportSize(1_280, 720);
			page.navigate(address() + path);
			assertAccessible(page, name + path.replaceAll("\\W+", "-"));
		}));
	}

}

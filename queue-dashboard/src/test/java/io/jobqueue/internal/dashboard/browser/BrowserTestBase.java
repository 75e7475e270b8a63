package io.jobqueue.internal.dashboard.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages in Chromium, which the tests of a JVM share. Without it the tests are skipped. A
 * message of the browser's console that is an error, such as a violation of the
 * Content-Security-Policy, fails the test.
 */
@Tag("slow") // needs a browser
public abstract class BrowserTestBase extends DashboardTestBase {

	private static final List<String> NAMES = List.of("chromium-headless-shell", "chromium", "chromium-browser",
			"google-chrome");

	private static final int TIMEOUT_MILLIS = 30_000;

	/**
	 * Controls in a table or drawing that scrolls may be outside the window.
	 */
	private static final String FITS = """
			() => document.documentElement.scrollWidth <= innerWidth
				&& [...document.querySelectorAll("input, select, button")]
					.every((control) => control.closest(".scroll") || control.getBoundingClientRect().right <= innerWidth)
			""";

	/**
	 * Also where they stand below each other.
	 */
	private static final String APART = """
			() => [...document.forms].every((form) => {
				const boxes = [...form.querySelectorAll("input, select, button")]
					.map((control) => control.getBoundingClientRect()).filter(({ width }) => width > 0);
				return boxes.every((a, index) => boxes.slice(index + 1).every((b) =>
					Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom) >= 4));
			})
			""";

	/**
	 * Drawings and texts may scroll, columns may not.
	 */
	private static final String COLUMNS_FIT = """
			() => [...document.querySelectorAll(".scroll:has(> table)")]
				.every((region) => region.scrollWidth <= region.clientWidth)
			""";

	private final List<BrowserContext> contexts = new ArrayList<>();

	private final List<String> errors = new ArrayList<>();

	/**
	 * Skip the test without a browser.
	 */
	@BeforeEach
	void requireBrowser() {
		Assumptions.assumeTrue(executable().isPresent(),
				() -> "Skipped: none of %s is on the PATH".formatted(String.join(", ", NAMES)));
	}

	/**
	 * Close the pages, and require that the browser has found no error in them.
	 */
	@AfterEach
	void closePages() {
		this.contexts.forEach(BrowserContext::close);
		this.contexts.clear();
		assertThat(this.errors).isEmpty();
	}

	/**
	 * Return the errors that the browser has found until now, which the test expects.
	 * @return the messages
	 */
	protected final List<String> takeErrors() {
		List<String> taken = List.copyOf(this.errors);
		this.errors.clear();
		return taken;
	}

	/**
	 * Return the errors that the browser has found so far, which do not fail the test.
	 * @return messages of its console
	 */
	protected final List<String> expectErrors() {
		List<String> expected = List.copyOf(this.errors);
		this.errors.clear();
		return expected;
	}

	private static Optional<Path> executable() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.flatMap((folder) -> NAMES.stream().map((name) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/**
	 * Return the address of the dashboard that pages are opened of.
	 * @return the address without a slash at its end
	 */
	protected String address() {
		return DashboardApplication.address();
	}

	/**
	 * Open a page of the light scheme, 1,280 pixels wide.
	 * @param path its path below that of the dashboard
	 * @return the page
	 */
	protected final Page open(String path) {
		return open(path, new Browser.NewContextOptions());
	}

	/**
	 * Open a page in a browser of its own, with its own cookies and shared workers, and
	 * without transitions between colours.
	 * @param path its path below that of the dashboard
	 * @param options of the browser
	 * @return the page
	 */
	protected final Page open(String path, Browser.NewContextOptions options) {
		BrowserContext context = Chromium.BROWSER.newContext(options.setReducedMotion(ReducedMotion.REDUCE));
		context.setDefaultTimeout(TIMEOUT_MILLIS);
		this.contexts.add(context);
		return open(path, context);
	}

	/**
	 * Open a page in another tab.
	 * @param path its path below that of the dashboard
	 * @param context the browser
	 * @return the page
	 */
	protected final Page open(String path, BrowserContext context) {
		Page page = context.newPage();
		page.onConsoleMessage((message) -> {
			if (message.type().equals("error") && !isExpected(page, message)) {
				this.errors.add(message.text() + " at " + message.location());
			}
		});
		page.onPageError(this.errors::add);
		page.navigate(address() + path);
		return page;
	}

	/**
	 * Return whether a message is about the status of the page itself, which the test
	 * checks, or about the icon that the browser looks for if a page names none.
	 */
	private static boolean isExpected(Page page, ConsoleMessage message) {
		String location = message.location();
		return message.text().contains("a status of 4")
				&& (location.startsWith(page.url()) || location.contains("/favicon.ico"));
	}

	/**
	 * Require that a page is accessible in both schemes and by keyboard, that no column
	 * is outside a window of 1,024 pixels, and that it is not wider than that of a phone.
	 * With the system property {@code screenshots}, keep one of each.
	 * @param page the page, of the light scheme
	 * @param name the name of the screenshots
	 */
	protected final void assertAccessible(Page page, String name) {
		screenshot(page, name + "-light");
		Axe.assertAccessible(page);
		Keyboard.assertReachable(page);
		page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
		screenshot(page, name + "-dark");
		Axe.assertContrast(page);
		page.setViewportSize(1_024, 740);
		page.waitForFunction(COLUMNS_FIT);
		page.setViewportSize(360, 740);
		screenshot(page, name + "-narrow");
		page.evaluate("document.querySelectorAll('details').forEach((details) => details.open = true)");
		// Charts follow the window
		page.waitForFunction(FITS);
		page.waitForFunction(APART);
	}

	/**
	 * Keep a screenshot in the folder {@code target/screenshots}, with the system
	 * property {@code screenshots}: to take and compress one takes longer than to load
	 * the page.
	 * @param page the page
	 * @param name the name of the file, without its type
	 */
	protected static void screenshot(Page page, String name) {
		if (Boolean.getBoolean("screenshots")) {
			Path file = Path.of("target", "screenshots", name + ".png");
			page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
		}
	}

	/**
	 * The browser. Its processes end with this JVM.
	 */
	private static final class Chromium {

		static final Browser BROWSER = launch();

		private static Browser launch() {
			Playwright playwright = Playwright
				.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
			Browser browser = playwright.chromium()
				.launch(new BrowserType.LaunchOptions().setExecutablePath(executable().orElseThrow())
					.setArgs(List.of("--no-sandbox")));
			PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
			Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
			return browser;
		}

	}

}

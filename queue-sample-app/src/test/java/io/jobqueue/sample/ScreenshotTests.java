package io.jobqueue.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The pictures of the README: the dashboard of the sample, whose mail server is slow and
 * refuses a part of the mails. They are taken anew only with the system property
 * {@code screenshots}: what it takes to do so is tested elsewhere.
 */
class ScreenshotTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int SIGNUPS = 400;

	private static final Path IMAGES = Path.of("..", "docs", "images");

	@TempDir
	private Path dataFolder;

	@Test
	void readmeShowsThem() throws IOException {
		String readme = Files.readString(Path.of("..", "README.md"));
		for (String name : List.of("overview-light", "overview-dark", "job-light", "job-dark")) {
			assertThat(readme).contains("docs/images/" + name + ".png");
			assertThat(IMAGES.resolve(name + ".png")).isRegularFile();
		}
	}

	@Test
	@Tag("slow") // starts a JVM and a browser
	@EnabledIfSystemProperty(named = "screenshots", matches = "true")
	void pagesAreTakenUnderLoad() {
		Path chromium = chromium();
		try (BusyMailServer mails = new BusyMailServer();
				SampleJvm sample = SampleJvm.start(this.dataFolder, "--spring.mail.host=127.0.0.1",
						"--spring.mail.port=" + mails.port(), "--jobqueue.defaults.backoff.type=exponential",
						"--jobqueue.defaults.backoff.min=4s", "--jobqueue.defaults.backoff.max=1h",
						"--jobqueue.defaults.max-attempts=4");
				Playwright playwright = Playwright
					.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
				Browser browser = playwright.chromium()
					.launch(new BrowserType.LaunchOptions().setExecutablePath(chromium)
						.setArgs(List.of("--no-sandbox")))) {
			JdbcClient sql = JdbcClient.create(new DriverManagerDataSource(sample.jdbcUrl(), "postgres", ""));
			insertHistory(sql);
			Stream.iterate(1, (number) -> number + 1)
				.limit(SIGNUPS)
				.forEach((number) -> sample.client().signUp("Ada", "ada%d@example.org".formatted(number)));
			String job = awaitFailures(sql);
			String dashboard = "http://localhost:%d/jobqueue".formatted(sample.client().port());
			for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
				take(browser, scheme, dashboard, "overview", 1_024);
				take(browser, scheme, dashboard + "/jobs/" + job, "job", 850);
			}
		}
	}

	private static Path chromium() {
		List<Path> found = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.flatMap((folder) -> Stream.of(Path.of(folder, "chromium-headless-shell"), Path.of(folder, "chromium")))
			.filter(Files::isExecutable)
			.toList();
		Assumptions.assumeFalse(found.isEmpty(), "Skipped: Chromium is not on the PATH");
		return found.get(0);
	}

	/**
	 * The hour before, as workers record it minute by minute: to wait for it takes an
	 * hour.
	 */
	private static void insertHistory(JdbcClient sql) {
		sql.sql("""
				INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled, age_millis,
				                                 run_times)
				SELECT date_trunc('minute', now()) - t * interval '1 minute', 1, gen_random_uuid(), 'emails', 10,
				       1300 + 500 * sin(t / 9.0) + 40 * (t % 5), CASE WHEN t BETWEEN 18 AND 31 THEN 90 - 12 * abs(t - 24) ELSE 4 + t % 3 END,
				       CASE WHEN t BETWEEN 22 AND 25 THEN 6 ELSE 0 END, 0, CASE WHEN t BETWEEN 16 AND 30 THEN 1000 * (31 - t) ELSE 200 END,
				       array_fill(0, ARRAY[15]) || ARRAY[60, 500 + 40 * (t % 6), 700, 30 + CASE WHEN t BETWEEN 18 AND 31 THEN 300 ELSE 0 END, 4]
				FROM generate_series(-1, 60) t
				""")
			.update();
	}

	/**
	 * Wait until jobs retry and run, and others wait.
	 * @return the id of one whose second attempt has failed
	 */
	private static String awaitFailures(JdbcClient sql) {
		return await().atMost(PATIENCE)
			.until(() -> sql.sql("SELECT id FROM jobqueue_jobs WHERE state = 'RETRYING' AND failures = 2 LIMIT 1")
				.query(UUID.class)
				.optional(), Optional::isPresent)
			.orElseThrow()
			.toString();
	}

	private static void take(Browser browser, ColorScheme scheme, String address, String name, int height) {
		Path file = IMAGES.resolve("%s-%s.png".formatted(name, scheme.name().toLowerCase(Locale.ROOT)));
		Page page = browser.newPage(
				new Browser.NewPageOptions().setColorScheme(scheme).setViewportSize(1_200, height).setLocale("en-GB"));
		page.navigate(address);
		page.waitForFunction(
				"() => document.querySelectorAll('.chart').length === document.querySelectorAll('.chart canvas').length");
		page.screenshot(new Page.ScreenshotOptions().setPath(file));
		page.close();
		assertThat(file.toFile().length()).as("bytes of %s", file).isBetween(10_000L, 300_000L);
	}

}

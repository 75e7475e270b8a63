package io.jobqueue.internal.dashboard.access;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.browser.BrowserTestBase;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users of Spring Security in a browser: its login page, its session and its CSRF tokens.
 */
@Tag("slow") // needs a browser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoginBrowserTests extends BrowserTestBase {

	private final ConfigurableApplicationContext application = DashboardApplication.run(getClass().getClassLoader(),
			SecuredApplicationTests.Application.class, "server.servlet.context-path=/app",
			"jobqueue.dashboard.roles.read=VIEWER,OPERATOR", "jobqueue.dashboard.roles.write=OPERATOR");

	@AfterAll
	void stop() {
		this.application.close();
	}

	@Override
	protected String address() {
		return DashboardApplication.address(this.application).replace("/jobqueue", "/app/jobqueue");
	}

	@Test
	void usersLogInAndOperatorsAct() {
		UUID job = enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail"));
		Page page = logIn("operator", "/jobs/" + job);
		page.locator("summary", new Page.LocatorOptions().setHasText("Cancel")).press("Enter");
		page.locator("form[action$='/cancel'] [name=reason]").fill("Sent by hand");
		page.onceDialog(Dialog::accept);
		page.locator("form[action$='/cancel'] [name=reason]").press("Enter");
		assertThat(page.locator(".done")).isVisible();
		assertThat(page.locator(".state").first()).hasText("cancelled");
		assertThat(
				this.sql.sql("SELECT operator || ': ' || reason FROM jobqueue_operator_log").query(String.class).list())
			.containsExactly("operator: Sent by hand");
	}

	/**
	 * The database counts the change when its connection is closed.
	 */
	@Test
	void viewersSeeChangesAndNoForms() {
		UUID job = enqueue(JobRequest.of("emails", Map.of("to", "Ada")).type("mail"));
		Page page = logIn("viewer", "/jobs/" + job);
		assertThat(page.locator("main form")).hasCount(0);
		this.sql.sql("UPDATE jobqueue_job SET queue = 'invoices'").update();
		assertThat(page.locator("#live")).containsText("invoices");
	}

	/**
	 * By a form, though the application also accepts HTTP Basic, for which a browser asks
	 * by itself if it is challenged.
	 */
	@Test
	void endedSessionLeadsToTheLoginPage() {
		Page page = logIn("viewer", "");
		List<String> challenges = challenges(page);
		page.context().clearCookies();
		page.evaluate("document.body.dispatchEvent(new Event('refresh'))");
		page.waitForURL("**/app/login");
		assertThat(challenges).isEmpty();
		expectErrors();
	}

	@Test
	void stepsEndWithTheSession() {
		JobRequest mail = JobRequest.of("emails", Map.of("to", "Ada")).type("mail");
		DashboardApplication.bean(JobQueue.class).enqueueAll(Collections.nCopies(501, mail));
		Page page = logIn("operator", "/bulk/cancel?state=READY");
		List<String> challenges = challenges(page);
		page.route("**/bulk/**", (route) -> {
			if (route.request().resourceType().equals("xhr")) {
				page.context().clearCookies();
			}
			route.resume();
		});
		page.getByText("Cancel these jobs").click();
		assertThat(page.locator("#bulk-ended")).isVisible();
		assertThat(page.getByText("Next step")).isHidden();
		page.getByText("Log in and preview").click();
		page.waitForURL("**/app/login");
		assertThat(challenges).isEmpty();
		expectErrors();
	}

	private static List<String> challenges(Page page) {
		List<String> challenges = new CopyOnWriteArrayList<>();
		page.onResponse((response) -> {
			if (response.headers().containsKey("www-authenticate")) {
				challenges.add(response.url());
			}
		});
		return challenges;
	}

	private Page logIn(String user, String path) {
		Page page = open(path);
		page.getByPlaceholder("Username").fill(user);
		page.getByPlaceholder("Password").fill("secret");
		page.getByPlaceholder("Password").press("Enter");
		page.waitForURL(address() + path + "**");
		return page;
	}

}

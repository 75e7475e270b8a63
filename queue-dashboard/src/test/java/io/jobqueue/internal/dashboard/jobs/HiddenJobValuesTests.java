package io.jobqueue.internal.dashboard.jobs;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunctions;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardProperties.Roles;
import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages of jobs where values are hidden.
 */
class HiddenJobValuesTests extends DashboardTestBase {

	private static final String SECRET = "top-secret";

	private final DashboardProperties settings = new DashboardProperties("/jobqueue", new Roles(Set.of(), Set.of()),
			"loopback", false, "/traces/{traceId}");

	private final MockMvcTester pages = MockMvcTester.create(
			MockMvcBuilders.routerFunctions(RouterFunctions.route().path("/jobqueue", this::addTo).build()).build());

	private void addTo(RouterFunctions.Builder routes) {
		Views views = DashboardApplication.bean(Views.class);
		new JobListRoutes(views, operations(), DashboardApplication.bean(PostgresStores.class), this.settings)
			.addTo(routes);
		new JobRoutes(views, operations(), DashboardApplication.bean(PostgresStores.class), this.settings)
			.addTo(routes);
	}

	private UUID enqueueSecret() {
		return enqueue(JobRequest.of("emails", Map.of("text", SECRET))
			.type("mail")
			.key(SECRET)
			.group(SECRET)
			.orderedBy(SECRET)
			.limitedBy(SECRET)
			.header("tenant", SECRET)
			.header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
	}

	@Test
	void listHidesThem() {
		UUID job = enqueueSecret();
		this.sql.sql("UPDATE jobqueue_job SET failures = 1, last_error = 'java.lang.IllegalStateException: top-secret'")
			.update();
		assertThat(body("/jobqueue/jobs"))
			.contains(job.toString(), "java.lang.IllegalStateException: ******",
					"are no conditions: jobqueue.dashboard.show-values")
			.doesNotContain(SECRET, "name=\"error\"", "name=\"key\"", "name=\"group\"");
	}

	@Test
	void pageOfAJobHidesThem() {
		UUID job = enqueueSecret();
		this.sql
			.sql("""
					UPDATE jobqueue_job SET failures = 1, last_error = 'java.lang.IllegalStateException: top-secret',
					       progress_percent = 7, progress_message = 'top-secret',
					       history = jsonb_build_array(jsonb_build_object('attempt', 1, 'ended', now(), 'worker', 'w', 'outcome', 'retried',
					                                                      'error', 'java.lang.Exception: top-secret'))
					""")
			.update();
		assertThat(body("/jobqueue/jobs/" + job))
			.contains("<dt>tenant</dt>", "java.lang.Exception: ******", "java.lang.IllegalStateException: ******",
					"jobqueue.dashboard.show-values controls this")
			.contains("href=\"/traces/4bf92f3577b34da6a3ce929d0e0e4736\"")
			.doesNotContain(SECRET);
	}

	@ParameterizedTest
	@ValueSource(strings = { "key", "group", "error" })
	void searchesByThemAreRefused(String condition) {
		enqueueSecret();
		assertThat(this.pages.get().uri("/jobqueue/jobs?" + condition + "=" + SECRET)).failure()
			.rootCause()
			.hasMessageContaining(
					"'%s' searches values that are hidden from this user; 'jobqueue.dashboard.show-values' controls"
						.formatted(condition));
	}

	private String body(String path) {
		MvcTestResult result = this.pages.get().uri(path).exchange();
		assertThat(result).hasStatusOk();
		return new String(result.getResponse().getContentAsByteArray(), StandardCharsets.UTF_8);
	}

}

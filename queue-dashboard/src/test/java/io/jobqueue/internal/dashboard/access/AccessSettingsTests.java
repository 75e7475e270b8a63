package io.jobqueue.internal.dashboard.access;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.web.filter.ForwardedHeaderFilter;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobOperations;
import io.jobqueue.dashboard.DashboardAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * When the dashboard is on, and which settings are refused. The logs of tests begin with
 * WARN, except those of {@link OffNotice}.
 */
@ExtendWith(OutputCaptureExtension.class)
class AccessSettingsTests {

	private static final FilteredClassLoader WITHOUT_SECURITY = new FilteredClassLoader("org.springframework.security");

	private final WebApplicationContextRunner secured = withDashboard(new WebApplicationContextRunner());

	private final WebApplicationContextRunner unsecured = this.secured.withClassLoader(WITHOUT_SECURITY);

	private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R withDashboard(R runner) {
		return runner.withConfiguration(AutoConfigurations.of(DashboardAutoConfiguration.class))
			.withBean(JobOperations.class, () -> mock(JobOperations.class));
	}

	@Test
	void withoutRolesThePagesAreOff(CapturedOutput output) {
		this.secured.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardAccess.class));
		assertThat(output)
			.containsOnlyOnce("The dashboard of the job queue is off: set 'jobqueue.dashboard.roles.read'");
	}

	@Test
	void withoutSecurityThePagesAreOff(CapturedOutput output) {
		this.unsecured.withPropertyValues("jobqueue.dashboard.roles.read=VIEWER", "jobqueue.dashboard.unsecured=")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardAccess.class));
		assertThat(output).containsOnlyOnce("or set 'jobqueue.dashboard.unsecured' to loopback");
	}

	@Test
	void otherApplicationsHaveNoPages(CapturedOutput output) {
		withDashboard(new ApplicationContextRunner()).withPropertyValues("jobqueue.dashboard.roles.read=VIEWER")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardAccess.class));
		withDashboard(new ReactiveWebApplicationContextRunner())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardAccess.class));
		withDashboard(new ApplicationContextRunner())
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "jakarta.servlet"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().split("it needs a servlet application", -1)).hasSize(4);
	}

	@Test
	void applicationWithoutQueueHasNoPages(CapturedOutput output) {
		new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(DashboardAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardAutoConfiguration.class));
		assertThat(output).doesNotContain("dashboard");
	}

	@Test
	void unsecuredIsRefusedBesideSecurity() {
		assertRefused(this.secured.withPropertyValues("jobqueue.dashboard.unsecured=loopback"),
				"Spring Security is on the class path", "'jobqueue.dashboard.roles.read'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "LOOPBACK", "localhost", "*" })
	void otherValuesOfUnsecuredAreRefused(String value) {
		assertRefused(this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=" + value),
				"The setting 'jobqueue.dashboard.unsecured' is '%s'.".formatted(value), "Write loopback");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/", "jobqueue", "/jobqueue/", "/a//b", "/a b", "/a/../b", "/./a", "/{a}", "/*", "/a?b", "" })
	void pathThatIsNoPathIsRefused(String path) {
		assertRefused(
				this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=loopback",
						"jobqueue.dashboard.path=" + path),
				"The setting 'jobqueue.dashboard.path' is '%s'.".formatted(path), "such as /jobqueue");
	}

	@ParameterizedTest
	@ValueSource(strings = { "javascript:alert({traceId})", "https://traces.example.org", "{traceId}",
			"//traces.example.org/{traceId}" })
	void linkToATraceThatIsNoneIsRefused(String link) {
		assertRefused(
				this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=loopback",
						"jobqueue.dashboard.trace-link=" + link),
				"The setting 'jobqueue.dashboard.trace-link' is '%s'.".formatted(link), "{traceId}");
	}

	@Test
	void misspeltSettingIsRefused() {
		this.unsecured.withPropertyValues("jobqueue.dashboard.unsecurd=loopback")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("jobqueue.dashboard.unsecurd"));
	}

	@ParameterizedTest
	@CsvSource({ "server.forward-headers-strategy, native", "server.forward-headers-strategy, FRAMEWORK",
			"spring.main.cloud-platform, kubernetes", "server.tomcat.remoteip.remote-ip-header, X-Peer",
			"server.tomcat.remoteip.protocol-header, X-Scheme" })
	void unsecuredIsRefusedWhereHeadersOfProxiesCount(String key, String value) {
		assertRefused(this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=loopback", key + "=" + value),
				"'jobqueue.dashboard.unsecured' is 'loopback'", "'server.forward-headers-strategy' to none");
	}

	@Test
	void unsecuredIsRefusedBesideAFilterForHeadersOfProxies() {
		assertRefused(
				this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=loopback")
					.withBean("filter", ForwardedHeaderFilter.class, ForwardedHeaderFilter::new),
				"a ForwardedHeaderFilter", "'server.forward-headers-strategy' to none");
		assertRefused(
				this.unsecured.withPropertyValues("jobqueue.dashboard.unsecured=loopback")
					.withBean("filter", FilterRegistrationBean.class,
							() -> new FilterRegistrationBean<>(new ForwardedHeaderFilter())),
				"a ForwardedHeaderFilter", "'server.forward-headers-strategy' to none");
	}

	private static void assertRefused(WebApplicationContextRunner runner, String description, String action) {
		runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidConfigurationException.class))
			.satisfies((ex) -> {
				assertThat(ex.description()).contains(description);
				assertThat(ex.action()).contains(action);
			}));
	}

}

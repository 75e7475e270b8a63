package io.jobqueue.boot.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What people read when the application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportTests {

	@Test
	void descriptionAndActionAreReported(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--jobqueue.worker.timeout=1s",
				"--spring.main.banner-mode=off", "--spring.datasource.url=jdbc:postgresql://localhost/none"));
		assertThat(output).contains("APPLICATION FAILED TO START", "Description:",
				"The setting 'jobqueue.worker.timeout' is 1s", "Action:",
				"Raise the timeout or lower the heartbeat interval.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
							jobqueue.queues.ok.concurency=4 | There is no setting 'jobqueue.queues.ok.concurency' ("jobqueue.queues.ok.concurency" from property source "commandLineArgs"). The nearest one is 'jobqueue.queues.ok.concurrency'. | Correct or remove the key.
							jobqueue.queues.ok.max-run-time=30 | 'jobqueue.queues.ok.max-run-time: 30' is 30 ms: a number without a unit is milliseconds. | Write '30s' for seconds, or '30ms' if that is meant.
							jobqueue.queues.ok.retention=1h | 'jobqueue.queues.ok.retention' has a value, but it is a group of settings. | Set the settings of the group instead, such as 'jobqueue.queues.ok.retention.cancelled', 'jobqueue.queues.ok.retention.dead', 'jobqueue.queues.ok.retention.succeeded'.
					jobqueue.defaults.backoff.type=linear | The setting 'jobqueue.defaults.backoff.type' is 'linear', which is none of its values. | Set one of: polynomial, exponential, fixed, list.
					jobqueue.queues.ok.dead-head=halt | The setting 'jobqueue.queues.ok.dead-head' is 'halt', which is none of its values. | Set one of: continue, hold.
					jobqueue.queues=ok | 'jobqueue.queues' has a value, but it is a group of settings. | Set the settings of the group instead, such as 'jobqueue.queues.<name>.
					jobqueue.defaults.concurrency=many | Failed to bind properties under 'jobqueue.defaults.concurrency' to java.lang.Integer | Update your application's configuration
					""")
	void mistakeInSettingIsReported(String setting, String description, String action, CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--" + setting, "--spring.main.banner-mode=off",
				"--spring.datasource.url=jdbc:postgresql://localhost/none"));
		assertThat(output).contains("APPLICATION FAILED TO START", description, action);
	}

	@Test
	void beanThatIsMissingBecauseOfTheSwitchIsReported(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class, Producer.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--jobqueue.enabled=false",
				"--spring.main.banner-mode=off", "--spring.datasource.url=jdbc:postgresql://localhost/none"));
		assertThat(output).contains("APPLICATION FAILED TO START",
				" requires a bean of type 'io.jobqueue.JobQueue', but 'jobqueue.enabled' is false.",
				"Set 'jobqueue.enabled' to true, define a bean of that type for this case, or inject ObjectProvider<JobQueue>.");
	}

	@Test
	void beanOfWhichThereAreTwoIsNotReportedAsMissing(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class, Producer.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.addInitializers((context) -> Stream.of("first", "second")
			.forEach((name) -> ((GenericApplicationContext) context).registerBean(name, JobQueue.class,
					(bean) -> bean.setLazyInit(true))));
		assertThatException().isThrownBy(() -> application.run("--jobqueue.enabled=false",
				"--spring.main.banner-mode=off", "--spring.datasource.url=jdbc:postgresql://localhost/none"));
		assertThat(output).contains("APPLICATION FAILED TO START", "but 2 were found");
	}

	@Test
	void beanThatIsMissingWithoutTheSwitchIsReportedAsAnyOther(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Interceptor.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--spring.main.banner-mode=off"));
		assertThat(output)
			.contains("APPLICATION FAILED TO START",
					"required a bean of type 'io.jobqueue.JobInterceptor' that could not be found")
			.doesNotContain("jobqueue.enabled");
	}

	record Interceptor(JobInterceptor next) {

	}

	record Producer(JobQueue queue) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, JobQueueAutoConfiguration.class })
	static class Application {

	}

}

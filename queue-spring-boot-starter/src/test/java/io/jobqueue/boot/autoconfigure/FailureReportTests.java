package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

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

	@Test
	void misspeltSettingIsReported(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--jobqueue.queues.ok.concurency=4",
				"--spring.main.banner-mode=off", "--spring.datasource.url=jdbc:postgresql://localhost/none"));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"There is no setting 'jobqueue.queues.ok.concurency' (\"jobqueue.queues.ok.concurency\" from property source \"commandLineArgs\"). The nearest one is 'jobqueue.queues.ok.concurrency'.",
				"Correct or remove the key.");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, JobQueueAutoConfiguration.class })
	static class Application {

	}

}

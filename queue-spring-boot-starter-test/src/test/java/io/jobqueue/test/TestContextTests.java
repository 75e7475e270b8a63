package io.jobqueue.test;

import java.util.Map;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobQueue;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.test.TestApplication.Booking;
import io.jobqueue.test.TestApplication.Mail;
import io.jobqueue.test.TestJobsContextCustomizer.TestMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The contexts of tests and of applications.
 */
@SpringBootTest(properties = "spring.sql.init.mode=always")
class TestContextTests {

	@Autowired
	private ConfigurableApplicationContext context;

	@Test
	void noWorkerRuns() {
		assertThat(this.context.getBeanNamesForType(JobWorker.class)).isEmpty();
	}

	@Test
	void applicationOutsideTestsRunsItsWorker() {
		try (ConfigurableApplicationContext application = SpringApplication.run(TestApplication.class,
				"--spring.sql.init.mode=always", "--spring.main.web-application-type=none",
				"--jobqueue.test.inline=true")) {
			assertThat(application.getBean(JobWorker.class).isRunning()).isTrue();
			assertThat(application.getBeanNamesForType(TestJobs.class)).isEmpty();
			assertThat(application.getBeanNamesForType(InlineRuns.class)).isEmpty();
		}
	}

	@Test
	void inlineJobsNeedTwoConnections() {
		SpringApplicationBuilder application = new SpringApplicationBuilder(TestApplication.class)
			.properties(Map.of("jobqueue.test.inline", "true", "spring.datasource.hikari.maximum-pool-size", "1",
					"jobqueue.worker.enabled", "false", "spring.main.web-application-type", "none"))
			.initializers((each) -> each.getBeanFactory().registerSingleton("mode", new TestMode(false)));
		assertThatExceptionOfType(Exception.class).isThrownBy(application::run)
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("only one");
	}

	/**
	 * A context that no other class uses.
	 */
	@Nested
	@TestPropertySource(properties = "test.first-use=true")
	@DirtiesContext
	class FreshContextTests {

		@Test
		void partsAreCreatedAtTheFirstUse(@Autowired ConfigurableApplicationContext fresh) throws Exception {
			TestJobs jobs = fresh.getBean(TestJobs.class);
			assertThat(jobs.clock()).isNotNull();
			fresh.getBean(JobQueue.class).enqueue(new Mail("ada"));
			assertThat(fresh.getBeanFactory().containsSingleton("jobQueueTestJobsDelegate")).isFalse();
			assertThat(jobs.runNext().succeeded()).isTrue();
			assertThat(fresh.getBeanFactory().containsSingleton("jobQueueTestJobsDelegate")).isTrue();
		}

	}

	/**
	 * The annotation switches the worker on.
	 */
	@Nested
	@AutoConfigureTestJobs(worker = true)
	@DirtiesContext
	class WithWorkerTests {

		@Autowired
		private JobWorker worker;

		@Autowired
		private TestJobs jobs;

		@Test
		void workerRuns() {
			assertThat(this.worker.isRunning()).isTrue();
		}

		@Test
		void timeDoesNotMove() {
			assertThatIllegalStateException().isThrownBy(() -> this.jobs.advance(java.time.Duration.ofSeconds(1)))
				.withMessageContaining("A background worker runs");
		}

	}

	/**
	 * A property of the test switches the worker on.
	 */
	@Nested
	@TestPropertySource(properties = "jobqueue.worker.enabled=true")
	@DirtiesContext
	class WithWorkerPropertyTests {

		@Test
		void workerRuns(@Autowired JobWorker worker) {
			assertThat(worker.isRunning()).isTrue();
		}

	}

	/**
	 * A bean decides which jobs run inline.
	 */
	@Nested
	@DirtiesContext
	class WithInlineBookingsTests {

		@Autowired
		private JobQueue queue;

		@Autowired
		private TestJobs jobs;

		@Test
		void othersWait() throws Exception {
			this.queue.enqueue(new Booking(7));
			this.queue.enqueue(new Mail("ada"));
			assertThat(this.jobs.runAll()).extracting(JobOutcome::type).containsExactly("Mail");
		}

		@TestConfiguration
		static class InlineBookings {

			@Bean
			InlineJobs bookingsOnly() {
				return (request) -> request.payload() instanceof Booking;
			}

		}

	}

}

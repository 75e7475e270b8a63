package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobState;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.recurring.DefaultRecurringJobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * The beans of recurring jobs.
 */
@ExtendWith(OutputCaptureExtension.class)
class RecurringConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner producer = this.contextRunner.withBean(Greetings.class)
		.withPropertyValues("jobqueue.worker.enabled=false");

	@Test
	void beanOfTheApplicationTakesPrecedence() {
		RecurringJobs own = mock();
		this.contextRunner.withBean("own", RecurringJobs.class, () -> own)
			.run((context) -> assertThat(context).hasSingleBean(RecurringJobs.class)
				.doesNotHaveBean(DefaultRecurringJobs.class));
	}

	@Test
	void thereIsNoneWithoutTheQueue() {
		this.contextRunner.withPropertyValues("jobqueue.enabled=false", "jobqueue.recurring.a.cron=nonsense")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RecurringJobs.class));
	}

	@Test
	void nodeWithoutAWorkerSavesAndTriggersAndTicksNothing() {
		this.producer.withBean(EachSecond.class)
			.withPropertyValues("spring.jackson.property-naming-strategy=UPPER_CAMEL_CASE",
					"jobqueue.worker.name=producing")
			.run((context) -> {
				RecurringJobs jobs = context.getBean(RecurringJobs.class);
				jobs.save(hello().fixedRate(Duration.ofSeconds(1)));
				jobs.save(RecurringJobRequest.of("yearly", new Greeting("moon")).cron("0 0 0 1 1 *"));
				RecurringJobInfo due = jobs.find("hello").orElseThrow();
				jobs.trigger("yearly");
				assertThat(ticks("producing")).isFalse();
				assertThat(jobs.find("yearly").orElseThrow().lastState()).isEqualTo(JobState.READY);
				assertThat(jobs.find("hello")).contains(due);
				assertThat(jobs.find("each-second")).isEmpty();
				assertThat(this.sql.sql("SELECT payload FROM jobqueue_jobs").query(String.class).list())
					.containsExactly("{\"firstName\":\"moon\"}");
			});
	}

	@Test
	void savedScheduleIsTickedByAWorkerElsewhere() {
		this.producer.run((producing) -> this.contextRunner.withBean(Greetings.class)
			.withPropertyValues("jobqueue.worker.name=working")
			.run((working) -> {
				assertThat(ticks("working")).isTrue();
				producing.getBean(RecurringJobs.class).save(hello().fixedRate(Duration.ofSeconds(1)));
				await().atMost(30, TimeUnit.SECONDS)
					.until(() -> working.getBean(Greetings.class).received().contains("world"));
			}));
	}

	private static boolean ticks(String node) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().startsWith("jobqueue@%s-recurring".formatted(node)));
	}

	private static RecurringJobRequest hello() {
		return RecurringJobRequest.of("hello", new Greeting("world"));
	}

	@Test
	void saveAndDeleteAreRolledBackWithTheCaller() {
		this.producer.run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			rolledBack(context, () -> jobs.save(hello().cron("0 0 3 * * *")));
			assertThat(jobs.find("hello")).isEmpty();
			jobs.save(hello().cron("0 0 3 * * *"));
			rolledBack(context, () -> assertThat(jobs.delete("hello")).isTrue());
			assertThat(jobs.find("hello")).isPresent();
		});
	}

	private static void rolledBack(ApplicationContext context, Runnable change) {
		context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			change.run();
			assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT 1", Integer.class)).isOne();
			status.setRollbackOnly();
		});
	}

	@Test
	void saveRequiresATransactionWhereEnqueueingDoes() {
		this.producer.withPropertyValues("jobqueue.producer.require-transaction=true").run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(catchThrowable(() -> jobs.save(hello().cron("0 0 3 * * *"))))
				.hasMessageContaining("'transaction' is missing");
		});
	}

	@Test
	void operatorIsTheUserOfSpringSecurity(CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.setLogLevel("io.jobqueue.operations", LogLevel.INFO);
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", ""));
		try {
			this.producer.run((context) -> {
				RecurringJobs jobs = context.getBean(RecurringJobs.class);
				jobs.save(hello().cron("0 0 3 * * *"));
				jobs.pause("hello");
			});
		}
		finally {
			SecurityContextHolder.clearContext();
			logging.setLogLevel("io.jobqueue.operations", null);
		}
		assertThat(output).contains("save schedule hello, by alice", "pause schedule hello, by alice");
	}

	static class EachSecond {

		@RecurringJob(name = "each-second", fixedRate = "1s")
		void run() {
		}

	}

}

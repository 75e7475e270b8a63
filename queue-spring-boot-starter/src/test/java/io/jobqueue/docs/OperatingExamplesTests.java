package io.jobqueue.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of the documentation operate jobs as it says.
 */
class OperatingExamplesTests extends ExampleTestBase {

	@Test
	void anOperatorTriesADeadJobAgain() {
		run((context) -> {
			Operators operators = context.getBean(Operators.class);
			UUID job = context.getBean(JobQueue.class)
				.enqueue(JobRequest.of(new ConfirmationEmail(11)).key("mail-11").delay(Duration.ofHours(1)))
				.id();
			assertThat(operators.holder("mail-11")).isPresent();
			operators.postpone(job);
			assertThat(operators.why(job)).startsWith("The job is due at ").contains(". What to do: ");
			assertThat(operators.tryAgain(job)).contains("has not started yet");
			operators.deploy(() -> {
			});
			context.getBean(JdbcClient.class)
				.sql("UPDATE jobqueue_job SET attempts = 1, failures = 1, last_error = 'Timeout'")
				.update();
			operators.resumeMails();
			operators.printErrors();
			assertThat(operators.tryAllAgain()).isOne();
			await(() -> assertThat(context.getBean(Mailbox.class).recipients()).containsExactly(11L));
			assertThat(operators.tryAgain(job)).contains("has succeeded");
			await(() -> assertThat(operators.replaySince(Instant.EPOCH)).isOne());
			assertThat(operators.dead()).isZero();
		});
	}

	@Test
	void anOperatorRunsAJobHere() {
		run((context) -> {
			UUID job = context.getBean(JobQueue.class)
				.enqueue(JobRequest.of(new ConfirmationEmail(12)).delay(Duration.ofHours(1)))
				.id();
			context.getBean(Operators.class).tryHere(job);
			assertThat(context.getBean(Mailbox.class).recipients()).containsExactly(12L);
		});
	}

	@Test
	void noMorePaymentsBeginThanTheirRateAllows() {
		this.contextRunner
			.withPropertyValues("jobqueue.queues.payments.cluster-concurrency=4",
					"jobqueue.queues.payments.rate.limit=2", "jobqueue.queues.payments.rate.period=1h")
			.run((context) -> {
				createUsers(context);
				LongStream.range(0, 3)
					.forEach((id) -> context.getBean(JobQueue.class).enqueue(new CardPayment(100 + id)));
				await(() -> assertThat(states(context, "CardPayment")).containsExactly("READY", "SUCCEEDED",
						"SUCCEEDED"));
			});
	}

	@Test
	void aJobRunsForTheTenantOfItsCaller() {
		TenantAwareHandler handler = new TenantAwareHandler();
		this.contextRunner.withUserConfiguration(Tenants.class)
			.withBean(TenantAwareHandler.class, () -> handler)
			.run((context) -> {
				createUsers(context);
				JobQueue queue = context.getBean(JobQueue.class);
				assertThatExceptionOfType(JobRejectedException.class)
					.isThrownBy(() -> queue.enqueue(new BookingNotice(1)))
					.withMessageContaining("tenant");
				Tenant.callAs("acme", () -> queue.enqueue(new BookingNotice(1)));
				await(() -> assertThat(handler.tenants()).containsExactly("acme"));
			});
	}

	@Test
	void aTenantTravelsWithoutAnInterceptor() {
		TenantAwareHandler handler = new TenantAwareHandler();
		TenantAccessor.register();
		this.contextRunner.withPropertyValues("jobqueue.producer.context-keys=tenant")
			.withBean(TenantAwareHandler.class, () -> handler)
			.run((context) -> {
				createUsers(context);
				Tenant.callAs("acme", () -> context.getBean(JobQueue.class).enqueue(new BookingNotice(1)));
				await(() -> assertThat(handler.tenants()).containsExactly("acme"));
			});
		ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
	}

	@Test
	void deathsAreReportedToThePager() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new ReportWanted("weather"));
			await(() -> assertThat(context.getBean(Watchers.class).alerts()).hasSize(1)
				.allMatch((alert) -> alert.startsWith("ReportWanted: ") && alert.contains("UnknownReport")));
		});
	}

	@Test
	void alertsAreReportedToThePager() {
		this.contextRunner.withPropertyValues("jobqueue.alerts.interval=50ms", "jobqueue.alerts.user-visible.age=1ms")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("orphans", new BookingNotice(2));
				await(() -> assertThat(context.getBean(Watchers.class).alerts()).contains("orphans: AGE"));
			});
	}

	@Test
	void anExportIsWithdrawn() {
		run((context) -> {
			Exports exports = context.getBean(Exports.class);
			var receipt = context.getBean(JobQueue.class).enqueue(new ExportWanted(Integer.MAX_VALUE));
			await(() -> assertThat(states(context, "ExportWanted")).containsExactly("RUNNING"));
			await(() -> assertThat(exports.withdraw(receipt.id())).isEqualTo(CancelOutcome.ALREADY_FINISHED));
			assertThat(states(context, "ExportWanted")).containsExactly("CANCELLED");
		});
	}

	@Test
	void anArchiveReportsItsProgress() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("""
					DROP TABLE IF EXISTS archive_order;
					CREATE TABLE archive_order (job_id uuid PRIMARY KEY, customer_id bigint NOT NULL);
					""").update();
			CustomerArchives archives = context.getBean(CustomerArchives.class);
			UUID job = archives.order(7, new ArchiveWanted(2020, 2023));
			await(() -> assertThat(jdbc.sql("""
					SELECT progress_message || ': ' || progress_percent FROM jobqueue_jobs WHERE state = 'RUNNING'
					""").query(String.class).list()).containsExactly("year 2021: 25"));
			assertThat(archives.status(7, job)).hasValue(new CustomerArchives.Status(JobState.RUNNING, 25));
			assertThat(archives.status(8, job)).isEmpty();
			assertThat(archives.cancel(8, job)).isEqualTo(CancelOutcome.UNKNOWN);
			assertThat(archives.cancel(7, job)).isEqualTo(CancelOutcome.REQUESTED);
			context.getBean(Exports.class).allow(3);
			await(() -> assertThat(states(context, "ArchiveWanted")).containsExactly("SUCCEEDED"));
		});
	}

	@Test
	void anImportIsCounted() {
		run((context) -> {
			Customers customers = context.getBean(Customers.class);
			customers.importAll(List.of(1L, 2L, 4L));
			await(() -> assertThat(customers.progress()).isEqualTo("3 of 3, 1 dead"));
		});
	}

}

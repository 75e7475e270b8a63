package io.jobqueue.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.micrometer.context.ContextRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.autoconfigure.JobQueueAutoConfiguration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of the documentation do what it says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesTests {

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class, JacksonAutoConfiguration.class,
				JobQueueAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.database.jdbcUrl(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password())
		.withBean(Mailbox.class)
		.withBean(Bank.class)
		.withUserConfiguration(SignUps.class, Reminders.class, ConfirmationEmails.class, Invoices.class,
				Cancellations.class, Refunds.class, Refunds.Policies.class, Billing.class, Deliveries.class,
				Products.class, PaymentEvents.class, Drafts.class, Watchers.class, Shops.class, Accounts.class,
				Exports.class, Customers.class, Parcels.class, Operators.class);

	/**
	 * The next example must not find what this one left to be done.
	 */
	@AfterEach
	void empty() {
		JdbcClient.create(this.database.dataSource()).sql("""
				TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_key, jobqueue_dedupe, jobqueue_rate, jobqueue_pause
				""").update();
	}

	@AfterAll
	void drop() {
		this.database.close();
	}

	@Test
	void aSignUpSendsAMail() {
		run((context) -> {
			context.getBean(SignUps.class).signUp(1);
			await(() -> assertThat(context.getBean(Mailbox.class).recipients()).containsExactly(1L));
		});
	}

	@Test
	void aSignUpThatRollsBackSendsNone() {
		run((context) -> {
			SignUps signUps = context.getBean(SignUps.class);
			signUps.signUp(2);
			assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> signUps.signUp(2));
			assertThat(jobs(context, "ConfirmationEmail")).isEqualTo(1);
		});
	}

	@Test
	void optionsAreStored() {
		run((context) -> {
			context.getBean(Reminders.class).remindLater(3);
			assertThat(context.getBean(JdbcClient.class)
				.sql("SELECT priority FROM jobqueue_jobs WHERE state = 'SCHEDULED' AND headers LIKE '%acme%'")
				.query(Integer.class)
				.single()).isZero();
		});
	}

	@Test
	void manyInvoicesAreBilled() {
		run((context) -> {
			context.getBean(Billing.class).bill(List.of(1L, 2L, 3L));
			await(() -> assertThat(context.getBean(Invoices.class).reminded()).containsExactly(1L, 2L, 3L));
		});
	}

	@Test
	void aHandlerLearnsTheIdOfItsJob() {
		run((context) -> {
			var receipt = context.getBean(JobQueue.class).enqueue(new InvoicePaid(4));
			await(() -> assertThat(context.getBean(Invoices.class).booked()).containsEntry(4L, receipt.id()));
		});
	}

	@Test
	void aRenamedTypeIsStillHandled() {
		run((context) -> {
			context.getBean(TransactionOperations.class).executeWithoutResult((status) -> {
				context.getBean(JobQueue.class).enqueue(new InvoicePaid(10));
				context.getBean(JdbcClient.class).sql("UPDATE jobqueue_job SET type = 'InvoicePayment'").update();
			});
			await(() -> assertThat(context.getBean(Invoices.class).booked()).containsKey(10L));
		});
	}

	@Test
	void anOperatorTriesADeadJobAgain() {
		run((context) -> {
			Operators operators = context.getBean(Operators.class);
			UUID job = context.getBean(JobQueue.class)
				.enqueue(JobRequest.of(new ConfirmationEmail(11)).key("mail-11").delay(Duration.ofHours(1)))
				.id();
			assertThat(operators.holder("mail-11")).isPresent();
			operators.postpone(job);
			assertThat(operators.tryAgain(job)).contains("has not begun yet");
			operators.deploy(() -> {
			});
			context.getBean(JdbcClient.class)
				.sql("UPDATE jobqueue_job SET attempts = 1, failures = 1, last_error = 'Timeout'")
				.update();
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
	void aMapIsHandledByItsType() {
		run((context) -> {
			context.getBean(Cancellations.class).requestCancellation();
			await(() -> assertThat(context.getBean(Cancellations.class).cancelled()).containsExactly(42));
		});
	}

	@Test
	void aRetryPolicyListensToTheException() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new InvoiceRefund(5));
			await(() -> assertThat(context.getBean(Bank.class).refunded()).containsExactly(5L));
		});
	}

	@Test
	void aPaymentIsChargedUnderTheIdOfItsJob() {
		run((context) -> {
			var receipt = context.getBean(JobQueue.class).enqueue(new CardPayment(1200));
			await(() -> assertThat(context.getBean(Deliveries.class).charged()).containsEntry(receipt.id(), 1200L));
		});
	}

	@Test
	void aBookingAndItsNoticeAreCommittedTogether() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("CREATE TABLE account (id integer, cents bigint); INSERT INTO account VALUES (1, 50)").update();
			context.getBean(JobQueue.class).enqueue(new Booking(1, 7));
			await(() -> assertThat(jobs(context, "BookingNotice")).isEqualTo(1));
			assertThat(jdbc.sql("SELECT cents FROM account").query(Long.class).single()).isEqualTo(57);
		});
	}

	@Test
	void anAlarmSounds() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Alarm("north"));
			await(() -> assertThat(context.getBean(Deliveries.class).sounded()).containsExactly("north"));
		});
	}

	@Test
	void exceptionsDecideOnReports() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			List.of("sales", "sales", "weather").forEach((report) -> queue.enqueue(new ReportWanted(report)));
			await(() -> assertThat(states(context, "ReportWanted")).containsExactly("DEAD", "SUCCEEDED", "SUCCEEDED"));
		});
	}

	@Test
	void anImportAsksForMoreTime() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Import(3));
			await(() -> assertThat(context.getBean(Deliveries.class).loaded()).containsExactly(0, 1, 2));
		});
	}

	@Test
	void aProductIsIndexedAsItIs() {
		run((context) -> {
			context.getBean(JdbcClient.class)
				.sql("CREATE TABLE product (id bigint, name text); INSERT INTO product VALUES (7, 'Cup')")
				.update();
			Products products = context.getBean(Products.class);
			assertThat(products.rename(7, "Mug").accepted()).isTrue();
			assertThat(products.rename(7, "Beaker").accepted()).isTrue();
			await(() -> assertThat(products.indexed()).isNotEmpty().last().isEqualTo("Beaker"));
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
	void whoeverIsOnCallHearsOfDeaths() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new ReportWanted("weather"));
			await(() -> assertThat(context.getBean(Watchers.class).alerts()).hasSize(1)
				.allMatch((alert) -> alert.startsWith("ReportWanted: ") && alert.contains("UnknownReport")));
		});
	}

	@Test
	void whoeverIsOnCallHearsOfAlerts() {
		this.contextRunner.withPropertyValues("jobqueue.alerts.interval=50ms", "jobqueue.alerts.user-visible.age=1ms")
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue("orphans", new BookingNotice(2));
				await(() -> assertThat(context.getBean(Watchers.class).alerts()).contains("orphans: AGE"));
			});
	}

	@Test
	void aPaymentEventIsHandledOnce() {
		run((context) -> {
			PaymentEvents events = context.getBean(PaymentEvents.class);
			assertThat(events.receive(new PaymentEvent("e-1"))).isTrue();
			await(() -> assertThat(states(context, "PaymentEvent")).containsExactly("SUCCEEDED"));
			assertThat(events.receive(new PaymentEvent("e-1"))).isFalse();
			assertThat(events.handled()).containsExactly("e-1");
		});
	}

	@Test
	void aTestEventIsHandledEachTime() {
		run((context) -> {
			PaymentEvents events = context.getBean(PaymentEvents.class);
			events.receive(new PaymentEvent("test-1"));
			await(() -> assertThat(states(context, "PaymentEvent")).containsExactly("SUCCEEDED"));
			assertThat(events.receive(new PaymentEvent("test-1"))).isTrue();
		});
	}

	@Test
	void aDraftIsCheckedWhenItsAuthorPauses() {
		run((context) -> {
			Drafts drafts = context.getBean(Drafts.class);
			List.of("D", "De", "Dear").forEach((text) -> drafts.type(8, text));
			await(() -> assertThat(drafts.checked()).containsExactly("Dear"));
		});
	}

	@Test
	void movementsOfAnAccountAreToldInTheirOrder() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("CREATE TABLE IF NOT EXISTS account (id integer, cents bigint)").update();
			Accounts accounts = context.getBean(Accounts.class);
			List<Long> movements = LongStream.rangeClosed(1, 20).boxed().toList();
			movements.forEach((cents) -> accounts.move(9, cents));
			await(() -> assertThat(accounts.told()).containsExactlyElementsOf(movements));
			jdbc.sql("DROP TABLE account").update();
		});
	}

	@Test
	void theFeedAnnouncesBookingsThatAreCommitted() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(new Alarm("south"));
			var receipt = queue.enqueue("bookings", new BookingNotice(1));
			await(() -> assertThat(context.getBean(Watchers.class).announced()).containsExactly(receipt.id()));
		});
	}

	@Test
	void aShopThatOpensFindsWhatHasBeenWaiting() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Shops shops = context.getBean(Shops.class);
			queue.enqueue("shop-paris", new StockCounted("pears", 3));
			shops.open("paris");
			await(() -> assertThat(shops.stock()).containsEntry("pears", 3));
			shops.close("paris");
			shops.open("paris");
			queue.enqueue("shop-paris", new StockCounted("pears", 2));
			await(() -> assertThat(shops.stock()).containsEntry("pears", 2));
		});
	}

	@Test
	void anExportIsWithdrawn() {
		run((context) -> {
			Exports exports = context.getBean(Exports.class);
			var receipt = context.getBean(JobQueue.class).enqueue(new ExportWanted(Integer.MAX_VALUE));
			await(() -> assertThat(exports.withdraw(receipt.id())).isEqualTo(CancelOutcome.ALREADY_FINISHED));
			assertThat(states(context, "ExportWanted")).containsExactly("CANCELLED");
		});
	}

	@Test
	void anArchiveTellsHowFarItIs() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue(new ArchiveWanted(2020, 2023));
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			await(() -> assertThat(jdbc.sql("""
					SELECT progress_message || ': ' || progress_percent FROM jobqueue_jobs WHERE state = 'RUNNING'
					""").query(String.class).list()).containsExactly("year 2021: 25"));
			context.getBean(Exports.class).allow(3);
			await(() -> assertThat(states(context, "ArchiveWanted")).containsExactly("SUCCEEDED"));
		});
	}

	@Test
	void aLabelIsPrintedWhenThePrinterIsFree() {
		run((context) -> {
			context.getBean(JobQueue.class).enqueue("labels", new LabelWanted(7));
			assertThat(context.getBean(Parcels.class).printNext()).isTrue();
			assertThat(context.getBean(Parcels.class).done()).containsExactly(new LabelWanted(7));
			context.getBean(JobQueue.class).enqueue("labels", new LabelWanted(-1));
			assertThat(context.getBean(Parcels.class).printNext()).isTrue();
			assertThat(states(context, "LabelWanted")).containsExactly("RETRYING", "SUCCEEDED");
		});
	}

	@Test
	void workIsAssignedAsLongAsThereIsSomebody() {
		run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue("labels", new LabelWanted(1));
			queue.enqueue("pickups", new PickupWanted(2));
			queue.enqueue("pickups", new PickupWanted(3));
			Parcels parcels = context.getBean(Parcels.class);
			IntStream.range(0, 3).forEach((turn) -> parcels.assignNext());
			assertThat(parcels.done()).containsExactly(new LabelWanted(1), new PickupWanted(2));
			assertThat(states(context, "PickupWanted")).containsExactly("READY", "SUCCEEDED");
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

	@Test
	void aCodecMayCompress() {
		this.contextRunner.withUserConfiguration(CompressingCodec.Codecs.class).run((context) -> {
			createUsers(context);
			context.getBean(SignUps.class).signUp(6);
			await(() -> assertThat(context.getBean(Mailbox.class).recipients()).containsExactly(6L));
		});
	}

	private void run(ContextConsumer<AssertableApplicationContext> example) {
		this.contextRunner.run((context) -> {
			createUsers(context);
			example.accept(context);
		});
	}

	private static void createUsers(ApplicationContext context) {
		context.getBean(JdbcClient.class).sql("""
				DROP TABLE IF EXISTS users;
				CREATE TABLE users (id bigint PRIMARY KEY);
				""").update();
	}

	private static long jobs(ApplicationContext context, String type) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT count(*) FROM jobqueue_jobs WHERE type = ?")
			.param(type)
			.query(Long.class)
			.single();
	}

	private static List<String> states(ApplicationContext context, String type) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT state FROM jobqueue_jobs WHERE type = ? ORDER BY state")
			.param(type)
			.query(String.class)
			.list();
	}

	private static void await(Runnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(assertion::run);
	}

}

package io.jobqueue.docs;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of the documentation enqueue what it says.
 */
class ProducingExamplesTests extends ExampleTestBase {

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
	void aMailThatIsNotSentSoonExpires() {
		run((context) -> {
			context.getBean(Reminders.class).confirmSoon(4);
			assertThat(context.getBean(JdbcClient.class)
				.sql("SELECT expires_at - run_at = interval '10 minutes' FROM jobqueue_jobs")
				.query(Boolean.class)
				.single()).isTrue();
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
	void rowsOfAnOutboxBecomeJobs() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("""
					DROP TABLE IF EXISTS outbox;
					CREATE TABLE outbox (id bigint PRIMARY KEY, user_id bigint NOT NULL);
					INSERT INTO outbox VALUES (2, 22), (1, 21);
					""").update();
			context.getBean(Outbox.class).moveToQueue();
			assertThat(jdbc.sql("SELECT unique_key FROM jobqueue_jobs ORDER BY seq").query(String.class).list())
				.containsExactly("outbox-1", "outbox-2");
			await(() -> assertThat(context.getBean(Mailbox.class).recipients()).containsExactlyInAnyOrder(21L, 22L));
			assertThat(jdbc.sql("SELECT count(*) FROM outbox").query(Integer.class).single()).isZero();
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
	void movementsOfAnAccountRunInTheirOrder() {
		run((context) -> {
			JdbcClient jdbc = context.getBean(JdbcClient.class);
			jdbc.sql("CREATE TABLE IF NOT EXISTS account (id integer, cents bigint)").update();
			Accounts accounts = context.getBean(Accounts.class);
			List<Long> movements = LongStream.rangeClosed(1, 20).boxed().toList();
			movements.forEach((cents) -> accounts.move(9, cents));
			await(() -> assertThat(accounts.reported()).containsExactlyElementsOf(movements));
			jdbc.sql("DROP TABLE account").update();
		});
	}

	@Test
	void subscribersReceiveWhatIsPublished() {
		this.contextRunner.withUserConfiguration(OrderEvents.class).run((context) -> {
			createUsers(context);
			OrderEvents orders = context.getBean(OrderEvents.class);
			orders.place(1, "eu");
			orders.place(2, "us");
			await(() -> assertThat(orders.received()).containsExactlyInAnyOrder("bill 1", "index 1", "index 2"));
			assertThat(orders.sellBilling()).isTrue();
			orders.place(3, "eu");
			await(() -> assertThat(orders.received()).hasSize(4).endsWith("index 3"));
		});
	}

	@Test
	void aCodecMayCompress() {
		this.contextRunner.withUserConfiguration(CompressingCodec.Codecs.class).run((context) -> {
			createUsers(context);
			context.getBean(SignUps.class).signUp(6);
			await(() -> assertThat(context.getBean(Mailbox.class).recipients()).containsExactly(6L));
			assertThat(context.getBean(JdbcClient.class)
				.sql("SELECT DISTINCT payload IS NULL AND substr(payload_bytes, 1, 2) = '\\x1f8b' FROM jobqueue_jobs")
				.query(Boolean.class)
				.list()).containsExactly(true);
		});
	}

}

package io.jobqueue.boot.autoconfigure;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.AsyncJob;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.PayloadCodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Methods whose calls become jobs, in an application.
 */
class AsyncJobConfigurationTests extends QueueTestBase {

	/**
	 * A call without a transaction is rejected although its method is transactional: the
	 * method's transaction is that of the body.
	 */
	@Test
	void callJoinsTheTransactionOfItsCallerAndTheBodyHasItsOwn() {
		this.contextRunner.withBean(Ledger.class)
			.withPropertyValues("jobqueue.producer.require-transaction=true", "jobqueue.producer.max-payload-size=1KB")
			.run((context) -> {
				Ledger ledger = context.getBean(Ledger.class);
				TransactionOperations transaction = context.getBean(TransactionOperations.class);
				assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> ledger.credit(1, "none"));
				transaction.executeWithoutResult((status) -> {
					assertThat(ledger.credit(2, "rolled back").accepted()).isTrue();
					assertThatExceptionOfType(JobRejectedException.class)
						.isThrownBy(() -> ledger.credit(3, "x".repeat(1100)))
						.withMessageContaining("of type credit has ");
					assertThat(context.getBean(JdbcClient.class)
						.sql("SELECT payload FROM jobqueue_job")
						.query(String.class)
						.list()).containsExactly("{\"account\":2,\"note\":\"rolled back\"}");
					status.setRollbackOnly();
				});
				transaction.executeWithoutResult((status) -> ledger.credit(4, "committed"));
				await().atMost(Duration.ofSeconds(30)).until(() -> !ledger.bodies().isEmpty());
				assertThat(ledger.bodies()).containsExactly("4 committed in " + Ledger.class.getName() + ".credit");
			});
	}

	/**
	 * The handler's queue has a codec, and another bean calls the method before there is
	 * a worker.
	 */
	@Test
	void callIsEncodedByTheCodecEvenBeforeTheStart() {
		this.contextRunner.withBean(Ledger.class)
			.withBean(Starter.class)
			.withBean(PayloadCodec.class, () -> new MirroringCodec(new JsonMapper()))
			.run((context) -> {
				Ledger ledger = context.getBean(Ledger.class);
				await().atMost(Duration.ofSeconds(30)).until(() -> !ledger.bodies().isEmpty());
				assertThat(ledger.bodies()).containsExactly("5 first in " + Ledger.class.getName() + ".credit");
				assertThat(this.sql.sql("SELECT payload FROM jobqueue_jobs").query(String.class).list())
					.containsExactly("}\"tsrif\":\"eton\",5:\"tnuocca\"{");
			});
	}

	@Test
	void callIsAJobWithoutAWorkerToo() {
		this.contextRunner.withBean(Ledger.class).withPropertyValues("jobqueue.worker.enabled=false").run((context) -> {
			JobReceipt receipt = context.getBean(Ledger.class).credit(6, "elsewhere");
			assertThat(this.sql.sql("SELECT queue || ' ' || type FROM jobqueue_job WHERE id = ?")
				.param(receipt.id())
				.query(String.class)
				.single()).isEqualTo("bookings credit");
			assertThat(context.getBean(Ledger.class).bodies()).isEmpty();
		});
	}

	@Test
	void callIsNoJobWithoutTheQueue() {
		this.contextRunner.withBean(Ledger.class).withPropertyValues("jobqueue.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(JobQueue.class);
			assertThat(context.getBean(Ledger.class).credit(7, "direct")).isNull();
			assertThat(context.getBean(Ledger.class).bodies()).hasSize(1);
		});
	}

	static class Ledger {

		private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();

		BlockingQueue<String> bodies() {
			return this.bodies;
		}

		@Transactional
		@AsyncJob(value = "credit", queue = "bookings")
		JobReceipt credit(int account, String note) {
			this.bodies
				.add(account + " " + note + " in " + TransactionSynchronizationManager.getCurrentTransactionName());
			return null;
		}

	}

	static class Starter implements InitializingBean {

		private final Ledger ledger;

		Starter(Ledger ledger) {
			this.ledger = ledger;
		}

		@Override
		public void afterPropertiesSet() {
			assertThat(this.ledger.credit(5, "first").accepted()).isTrue();
		}

	}

	/**
	 * Stands for one that encrypts.
	 */
	record MirroringCodec(JsonMapper json) implements PayloadCodec {

		@Override
		public Encoded encode(Object payload) {
			return Encoded.ofText(new StringBuilder(this.json.writeValueAsString(payload)).reverse().toString());
		}

		@Override
		public Object decode(Encoded encoded, Type type) {
			return this.json.readValue(new StringBuilder(encoded.text()).reverse().toString(),
					this.json.constructType(type));
		}

	}

}

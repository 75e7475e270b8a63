package io.jobqueue.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionOperations;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.EmptyDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProducerConfigurationTests extends QueueTestBase {

	private final ApplicationContextRunner producer = this.contextRunner
		.withPropertyValues("jobqueue.worker.enabled=false");

	ProducerConfigurationTests() {
		super(EmptyDatabase.shared(), EmptyDatabase::clear);
	}

	@Test
	void namesInPayloadsAreThoseOfTheirClass() {
		this.producer.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE").run((context) -> {
			enqueue(context);
			assertThat(column("payload")).isEqualTo("""
					{"firstName":"world"}""");
		});
	}

	@Test
	void invalidPayloadsAreRefusedWhereTheApplicationValidates() {
		this.producer.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class)).run((context) -> {
			assertThatExceptionOfType(JobRejectedException.class)
				.isThrownBy(() -> context.getBean(JobQueue.class).enqueue(new Greeting(" ")))
				.withMessageContaining("firstName must not be blank");
			assertThat(count()).isZero();
		});
	}

	@Test
	void invalidPayloadsAreAcceptedWhereNothingValidates() {
		this.producer.run((context) -> {
			context.getBean(JobQueue.class).enqueue(new Greeting(" "));
			assertThat(count()).isOne();
		});
	}

	@Test
	void clockOfTheApplicationMakesTheIds() {
		Instant now = Instant.parse("2026-02-03T04:05:06Z");
		this.producer.withBean(Clock.class, () -> Clock.fixed(now, ZoneOffset.UTC))
			.run((context) -> assertThat(enqueue(context).getMostSignificantBits() >>> 16)
				.isEqualTo(now.toEpochMilli()));
	}

	@Test
	void staleRunAtIsRefusedByTheApplicationsClock() {
		Instant now = Instant.parse("2026-02-03T04:05:06Z");
		this.producer.withBean(Clock.class, () -> Clock.fixed(now, ZoneOffset.UTC))
			.withPropertyValues("jobqueue.producer.stale-after=1h")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				JobRequest request = JobRequest.of(new Greeting("world"));
				queue.enqueue(request.runAt(now.minusSeconds(3600)));
				assertThatExceptionOfType(JobRejectedException.class)
					.isThrownBy(() -> queue.enqueue(request.runAt(now.minusSeconds(3601))))
					.withMessageContaining("jobqueue.producer.stale-after");
			});
	}

	@Test
	void severalClocksAreIgnored() {
		this.producer.withBean("one", Clock.class, Clock::systemUTC)
			.withBean("other", Clock.class, Clock::systemUTC)
			.run((context) -> assertThat(enqueue(context).version()).isEqualTo(7));
	}

	@Test
	void jobsOutsideATransactionAreRefusedIfConfigured() {
		this.producer.withPropertyValues("jobqueue.producer.require-transaction=true").run((context) -> {
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> enqueue(context))
				.withMessageContaining("jobqueue.producer.require-transaction");
			context.getBean(TransactionOperations.class).executeWithoutResult((status) -> enqueue(context));
			assertThat(count()).isOne();
		});
	}

	@Test
	void jobsJoinTheTransaction() {
		this.producer.run((context) -> {
			context.getBean(TransactionOperations.class).executeWithoutResult((status) -> {
				enqueue(context);
				status.setRollbackOnly();
			});
			assertThat(count()).isZero();
		});
	}

	@Test
	void largePayloadsAreRefused() {
		this.producer.withPropertyValues("jobqueue.producer.max-payload-size=20B")
			.run((context) -> assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> enqueue(context))
				.withMessageContaining("20"));
	}

	@Test
	void queueGivesItsPriority() {
		this.producer.withPropertyValues("jobqueue.queues.reports.priority=reporting").run((context) -> {
			context.getBean(JobQueue.class).enqueue("reports", new Greeting("world"));
			assertThat(column("priority")).isEqualTo("30");
		});
	}

	@Test
	void onlyHandlerGivesTheQueue() {
		this.producer.withBean(Farewells.class).run((context) -> {
			enqueue(context);
			assertThat(column("queue")).isEqualTo("farewells");
		});
	}

	@Test
	void tablesCanHaveASchemaOfTheirOwn() {
		this.producer.withPropertyValues("jobqueue.jdbc.schema=jobs").run((context) -> {
			enqueue(context);
			assertThat(tables()).isEmpty();
			assertThat(this.sql.sql("SELECT count(*) FROM jobs.jobqueue_job").query(Long.class).single()).isOne();
		});
	}

	private static UUID enqueue(ApplicationContext context) {
		return context.getBean(JobQueue.class).enqueue(new Greeting("world")).id();
	}

	private String column(String name) {
		return this.sql.sql("SELECT %s::text FROM jobqueue_job".formatted(name)).query(String.class).single();
	}

	private long count() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_job").query(Long.class).single();
	}

}

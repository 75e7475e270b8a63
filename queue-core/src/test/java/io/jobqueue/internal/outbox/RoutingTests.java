package io.jobqueue.internal.outbox;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.Priority;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where jobs go, and the ids that their receipts name.
 */
class RoutingTests extends NodeTestBase {

	@Test
	void queueIsThatOfRequestElseTypeElseOnlyHandlerElseDefault() {
		JobQueue queue = node(settings().bean(new Handlers())).queue();
		assertThat(queueOf(queue.enqueue("given", new Typed(1)))).isEqualTo("given");
		assertThat(queueOf(queue.enqueue(JobRequest.of("given", new Typed(1))))).isEqualTo("given");
		assertThat(queueOf(queue.enqueue(new Typed(1)))).isEqualTo("of-type");
		assertThat(queueOf(queue.enqueue(new Mail("hi")))).isEqualTo("emails");
		assertThat(queueOf(queue.enqueue(new Twice(1)))).isEqualTo("default");
		assertThat(queueOf(queue.enqueue(new Unknown(1)))).isEqualTo("default");
	}

	@Test
	void typeIsTheAnnotatedNameElseTheSimpleOne() {
		assertThat(column("type", enqueue(new Typed(1)), String.class)).isEqualTo("typed");
		assertThat(column("type", enqueue(new Unknown(1)), String.class)).isEqualTo("Unknown");
	}

	@Test
	void noRowNamesAJavaClass() {
		enqueue(new Unknown(1));
		assertThat(this.sql.sql("SELECT * FROM jobqueue_job").query().listOfRows().toString())
			.doesNotContain("io.jobqueue");
	}

	@Test
	void receiptNamesTheJob() {
		JobReceipt receipt = producer().queue().enqueue(new Unknown(1));
		assertThat(receipt.outcome()).isEqualTo(JobReceipt.Outcome.ADDED);
		assertThat(receipt.accepted()).isTrue();
		assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).containsExactly(receipt.id());
	}

	@Test
	void idsAreOfVersionSevenAndBeginWithTheApplicationsTime() {
		Instant now = Instant.parse("2031-02-03T04:05:06.789Z");
		JobQueue queue = node(settings().clock(Clock.fixed(now, ZoneOffset.UTC))).queue();
		assertThat(Stream.generate(() -> queue.enqueue(new Unknown(1)).id()).limit(20).distinct()).hasSize(20)
			.allSatisfy((id) -> {
				assertThat(id.version()).isEqualTo(7);
				assertThat(id.variant()).isEqualTo(2);
				assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(now.toEpochMilli());
			});
	}

	@Test
	void deliveryKeyIsTheSameOnEveryAttempt() {
		UUID[] seen = new UUID[2];
		UUID job = started((settings) -> settings.handler((mail, context) -> {
			seen[context.attempt() - 1] = context.id();
			assertThat(context.attempt()).isEqualTo(2);
		})).queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(seen).containsOnly(job);
	}

	@Test
	void handlerSeesTheOptionsOfTheRequest() {
		UUID job = started((settings) -> settings.maxAttempts(1).handler((mail, context) -> {
			assertThat(context.headers()).containsOnly(Map.entry("tenant", "acme"));
			assertThat(context.priority().value()).isEqualTo(33);
			assertThat(context.maxAttempts()).isEqualTo(7);
			assertThat(context.queue()).isEqualTo("emails");
			assertThat(context.type()).isEqualTo("mail");
			assertThat(context.runAt()).isEqualTo(context.enqueuedAt());
		})).queue()
			.enqueue(JobRequest.of(new Mail("hi")).header("tenant", "acme").priority(Priority.of(33)).maxAttempts(7))
			.id();
		awaitState(job, "SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	private UUID enqueue(Object payload) {
		return producer().queue().enqueue(payload).id();
	}

	private String queueOf(JobReceipt receipt) {
		return column("queue", receipt.id(), String.class);
	}

	@JobType(value = "typed", queue = "of-type")
	record Typed(int number) {
	}

	record Twice(int number) {
	}

	record Unknown(int number) {
	}

	static final class Handlers {

		@JobHandler(queue = "emails")
		void mail(Mail mail) {
		}

		@JobHandler(queue = "elsewhere")
		void typed(Typed typed) {
		}

		@JobHandler(queue = "one")
		void one(Twice twice) {
		}

		@JobHandler(queue = "two")
		void two(Twice twice) {
		}

	}

}

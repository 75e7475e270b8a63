package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What an operator did, and why, is stored with it or not at all.
 */
class OperatorLogTests extends NodeTestBase {

	private static final RecurringJobRequest DIGEST = RecurringJobRequest
		.of("digest", JobRequest.of("emails", new Mail("")))
		.cron("0 0 3 1 1 *");

	private static final String END_CONNECTION = "PERFORM pg_terminate_backend(pg_backend_pid())";

	private static final JobRequest LATER = JobRequest.of("emails", new Mail("hi")).delay(Duration.ofHours(1));

	@Test
	void rowHasReasonAndTime() {
		QueueNode node = node(settings().user("alice"));
		UUID job = node.queue().enqueue(LATER).id();
		node.operations().because("it is <not> needed").cancel(job);
		assertThat(rows()).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("operation", "cancel")
				.containsEntry("subject", job.toString())
				.containsEntry("affected", 1L)
				.containsEntry("operator", "alice")
				.containsEntry("reason", "it is <not> needed")
				.containsEntry("value", null)
				.containsEntry("steps", null)
				.containsEntry("ended_at", null));
		assertThat(this.sql.sql("SELECT at BETWEEN now() - interval '1 minute' AND now() FROM jobqueue_operator_log")
			.query(Boolean.class)
			.single()).isTrue();
	}

	private List<Map<String, Object>> rows() {
		return this.sql.sql("SELECT * FROM jobqueue_operator_log ORDER BY at").query().listOfRows();
	}

	@Test
	void lineHasTheReasonToo() {
		QueueNode node = node(settings().user("alice"));
		try (CapturedLog log = new CapturedLog()) {
			node.operations().because("a\nb").pause("emails");
			assertThat(log.messages("pause")).containsExactly("pause emails, by alice, because: a\\u000ab");
			assertThat(log.pairs("pause").get(0)).containsEntry("job.reason", "a\\u000ab");
		}
		assertThat(rows()).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("reason", "a\\u000ab").containsEntry("affected", null));
	}

	@Test
	void reasonHasAtMost500Characters() {
		JobOperations operations = producer().operations();
		operations.because("x".repeat(500)).pause("emails");
		assertThatIllegalArgumentException().isThrownBy(() -> operations.because("x".repeat(501)))
			.withMessage("'reason' must have at most 500 characters, but has 501");
		assertThat(rows()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a\0b", "a\ud800b" })
	void reasonThatCannotBeShownIsRefused(String reason) {
		QueueNode node = producer();
		assertThatIllegalArgumentException().isThrownBy(() -> node.operations().because(reason))
			.withMessageStartingWith("'reason' ");
		assertThatIllegalArgumentException().isThrownBy(() -> node.recurring().because(reason))
			.withMessageStartingWith("'reason' ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\0b", "a\ud800b", "\u202eecila", "<script>alert(1)</script>", "'; DROP TABLE x --" })
	void operatorWithAnyNameIsStored(String name) {
		QueueNode node = node(settings().user(name));
		node.operations().pause("emails");
		assertThat(rows()).singleElement()
			.satisfies((row) -> assertThat((String) row.get("operator")).doesNotContain("\u202e", "\0")
				.hasSizeGreaterThan(2));
	}

	@Test
	void longNamesAreCut() {
		QueueNode node = node(settings().user("\u00e9".repeat(10_000)));
		node.operations().bulk().delete(JobQuery.all().type("x".repeat(10_000)));
		assertThat(rows()).singleElement().satisfies((row) -> {
			assertThat((String) row.get("operator")).hasSize(200).endsWith("\u00e9…");
			assertThat((String) row.get("subject")).hasSize(2_000).endsWith("x…");
		});
	}

	@Test
	void unknownJobLeavesNoRow() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(LATER.priority(Priority.of(3))).id();
		node.operations().cancel(new UUID(0, 0));
		node.operations().reprioritise(job, Priority.of(3));
		node.operations().resume("emails");
		assertThat(rows()).isEmpty();
	}

	@Test
	void stepsOfABulkOperationAddToOneRow() {
		QueueNode node = node(settings().user("alice"));
		node.queue().enqueueAll(Stream.generate(() -> LATER).limit(1_100).toList());
		node.operations().because("too many").bulk().delete(JobQuery.all().queue("emails"));
		assertThat(rows()).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("operation", "delete")
				.containsEntry("affected", 1_100L)
				.containsEntry("steps", 3)
				.containsEntry("reason", "too many")
				.containsEntry("subject",
						"queue emails, state SCHEDULED or READY or RETRYING or BLOCKED or SUCCEEDED or DEAD or CANCELLED"))
			.satisfies((row) -> assertThat(row.get("ended_at")).isNotNull());
	}

	@Test
	void bulkOperationWithoutAJobHasARow() {
		producer().operations().bulk().retry(JobQuery.all());
		assertThat(rows()).singleElement()
			.satisfies((row) -> assertThat(row).containsEntry("affected", 0L).containsEntry("operator", null));
	}

	@Test
	void runIsStoredBeforeTheHandlerBegins() throws Exception {
		QueueNode node = started((settings) -> settings.user("alice")
			.handler((mail, job) -> assertThat(rows()).extracting((row) -> row.get("operation"))
				.containsExactly("run")));
		UUID job = node.queue().enqueue(LATER).id();
		node.operations().because("now").runHere(job);
		assertThat(rows()).singleElement()
			.satisfies(
					(row) -> assertThat(row).containsEntry("subject", job.toString()).containsEntry("reason", "now"));
	}

	@Test
	void changesOfSchedulesAreStored() {
		QueueNode node = node(settings().user("alice"));
		RecurringJobs schedules = node.recurring().because("year's end");
		schedules.save(DIGEST);
		schedules.pause("digest");
		schedules.resume("digest");
		schedules.trigger("digest");
		schedules.delete("digest");
		assertThat(schedules.delete("digest")).isFalse();
		assertThat(rows()).extracting((row) -> row.get("operation"))
			.containsExactly("save", "pause", "resume", "trigger", "delete");
		assertThat(rows()).allSatisfy((row) -> assertThat(row).containsEntry("subject", "schedule digest")
			.containsEntry("operator", "alice")
			.containsEntry("reason", "year's end"));
	}

	@Test
	void changeThatIsRolledBackIsNotStored() {
		QueueNode node = producer();
		node.transaction().executeWithoutResult((status) -> {
			assertThat(node.recurring().save(DIGEST).name()).isEqualTo("digest");
			status.setRollbackOnly();
		});
		assertThat(rows()).isEmpty();
	}

	static Stream<Change> changes() {
		return Stream.of((node, job, dead) -> node.operations().cancel(job),
				(node, job, dead) -> node.operations().delete(job), (node, job, dead) -> node.operations().delete(dead),
				(node, job, dead) -> node.operations().retry(dead), (node, job, dead) -> node.operations().replay(dead),
				(node, job, dead) -> node.operations().reschedule(job, Instant.EPOCH),
				(node, job, dead) -> node.operations().reprioritise(job, Priority.of(3)),
				(node, job, dead) -> node.operations().pause("emails"),
				(node, job, dead) -> node.operations().resume("invoices"),
				(node, job, dead) -> node.operations().unsubscribe("news", "post"),
				(node, job, dead) -> node.operations().bulk().cancel(JobQuery.all()),
				(node, job, dead) -> node.operations().bulk().retry(JobQuery.all().states(JobState.CANCELLED)),
				(node, job, dead) -> node.recurring().save(DIGEST),
				(node, job, dead) -> node.recurring().trigger("old"),
				(node, job, dead) -> node.recurring().pause("old"),
				(node, job, dead) -> node.recurring().delete("old"));
	}

	/**
	 * The server refuses the row, or ends the connection when it is about to insert the
	 * row, or to commit it.
	 */
	@ParameterizedTest
	@MethodSource("changes")
	void operationWithoutItsRowDoesNotExist(Change change) {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(LATER).id();
		UUID dead = node.queue().enqueue(LATER).id();
		node.operations().cancel(dead);
		node.operations().pause("invoices");
		node.recurring().save(RecurringJobRequest.of("old", JobRequest.of("emails", new Mail(""))).cron("0 0 3 1 1 *"));
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'news', 'mail', 'post', 'letters', '{}')
				""").update();
		List<String> before = contents();
		Runnable failing = () -> {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> change.of(node, job, dead))
				.isInstanceOfAny(DataAccessException.class, TransactionException.class);
			assertThat(contents()).isEqualTo(before);
		};
		withTrigger("TRIGGER fail BEFORE INSERT OR UPDATE", "RAISE 'no log'", failing);
		withTrigger("TRIGGER fail BEFORE INSERT OR UPDATE", END_CONNECTION, failing);
		withTrigger("CONSTRAINT TRIGGER fail AFTER INSERT OR UPDATE", END_CONNECTION, failing);
		change.of(node, job, dead);
		assertThat(contents()).isNotEqualTo(before);
	}

	/**
	 * A constraint that is deferred is checked at the COMMIT.
	 */
	private void withTrigger(String trigger, String action, Runnable work) {
		this.sql.sql("""
				CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s; RETURN NEW; END $$;
				CREATE %s ON jobqueue_operator_log %s FOR EACH ROW EXECUTE FUNCTION fail()
				""".formatted(action, trigger, trigger.startsWith("CONSTRAINT") ? "DEFERRABLE INITIALLY DEFERRED" : ""))
			.update();
		try {
			work.run();
		}
		finally {
			this.sql.sql("DROP FUNCTION fail CASCADE").update();
		}
	}

	private List<String> contents() {
		return this.sql.sql("""
				SELECT to_jsonb(j)::text FROM jobqueue_job j UNION ALL SELECT to_jsonb(a)::text FROM jobqueue_archive a
				UNION ALL SELECT to_jsonb(p)::text FROM jobqueue_pause p
				UNION ALL SELECT to_jsonb(r)::text FROM jobqueue_recurring r
				UNION ALL SELECT to_jsonb(s)::text FROM jobqueue_subscription s
				UNION ALL SELECT to_jsonb(l)::text FROM jobqueue_operator_log l
				ORDER BY 1
				""").query(String.class).list();
	}

	/**
	 * A change by an operator.
	 */
	interface Change {

		void of(QueueNode node, UUID job, UUID dead);

	}

}

package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.operations.AuditLog.Operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What an operator did can be read in the log.
 */
class AuditLogTests extends NodeTestBase {

	private static final Instant TIME = Instant.parse("2100-01-02T03:04:05Z");

	private static final JobQuery QUERY = JobQuery.all()
		.queue("emails")
		.states(JobState.SCHEDULED)
		.key("k")
		.enqueuedBefore(TIME);

	private static final String QUERY_TEXT = "queue emails, state SCHEDULED, key (hidden), enqueued before 2100-01-02T03:04:05Z";

	private CapturedLog log;

	@BeforeEach
	void capture() {
		this.log = closeLater(new CapturedLog());
	}

	@AfterEach
	void release() {
		this.log.close();
	}

	static Stream<Arguments> operations() {
		return Stream.of(line("retry {job}: 1 affected", (operations, job) -> {
			operations.cancel(job);
			operations.retry(job);
		}), line("replay {job}: 1 affected", (operations, job) -> {
			operations.cancel(job);
			operations.replay(job);
		}), line("cancel {job}: 1 affected", JobOperations::cancel),
				line("cancel {none}: 0 affected", (operations, job) -> operations.cancel(new UUID(0, 0))),
				line("delete {job}: 1 affected", JobOperations::delete),
				line("reschedule {job} to 2100-01-02T03:04:05Z: 1 affected",
						(operations, job) -> operations.reschedule(job, TIME)),
				line("reschedule {job} to now: 1 affected",
						(operations, job) -> operations.reschedule(job, Instant.EPOCH)),
				line("reschedule {job} to 2100-01-02T03:04:05.000006Z: 1 affected",
						(operations, job) -> operations.reschedule(job, TIME.plusNanos(6_007))),
				line("reschedule {job} to 2100-01-02T03:04:05Z: 0 affected", (operations, job) -> {
					operations.reschedule(job, TIME);
					operations.reschedule(job, TIME);
				}),
				line("reprioritise {job} to 33: 1 affected",
						(operations, job) -> operations.reprioritise(job, Priority.of(33))),
				line("reprioritise {job} to 10: 0 affected",
						(operations, job) -> operations.reprioritise(job, Priority.of(10))),
				line("clear queue emails, state SCHEDULED or READY or RETRYING or BLOCKED: 1 affected",
						(operations, job) -> operations.clear("emails")),
				line("run {job}", JobOperations::runHere),
				line("pause emails/mail", (operations, job) -> operations.pause("emails", "mail")),
				line("resume emails", (operations, job) -> {
					operations.pause("emails");
					operations.resume("emails");
				}), line("cancel " + QUERY_TEXT + ": 1 affected", (operations, job) -> operations.bulk().cancel(QUERY)),
				line("delete " + QUERY_TEXT + ": 1 affected", (operations, job) -> operations.bulk().delete(QUERY)),
				line("retry state RETRYING or DEAD, type fax: 0 affected",
						(operations, job) -> operations.bulk().retry(JobQuery.all().type("fax"))),
				line("retry all jobs, state RETRYING or DEAD: 0 affected",
						(operations, job) -> operations.bulk().retry(JobQuery.all())),
				line("replay all jobs: 0 affected", (operations, job) -> operations.bulk().replay(JobQuery.all())),
				line("replay group (hidden): 0 affected",
						(operations, job) -> operations.bulk().replay(JobQuery.all().group("patient-42"))),
				line("replay from position 7: 0 affected",
						(operations, job) -> operations.bulk().replay(JobQuery.all().fromPosition(7))),
				line("reschedule " + QUERY_TEXT + " to 2100-01-02T03:04:05Z: 1 affected",
						(operations, job) -> operations.bulk().reschedule(QUERY, TIME)),
				line("reprioritise " + QUERY_TEXT + " to 33: 1 affected",
						(operations, job) -> operations.bulk().reprioritise(QUERY, Priority.of(33))));
	}

	private static Arguments line(String text, Step step) {
		return arguments(text, step);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("operations")
	void lineHasOperationTargetAndUser(String text, Step step) throws Exception {
		QueueNode node = started((settings) -> settings.user("alice").handler((mail, job) -> {
		}));
		UUID job = enqueue(node);
		step.take(node.operations(), job);
		String expected = text.replace("{job}", job.toString()).replace("{none}", new UUID(0, 0).toString());
		assertThat(this.log.messages(", by alice").get(this.log.messages(", by alice").size() - 1))
			.isEqualTo(expected + ", by alice");
		Map<String, String> pairs = this.log.pairs(expected + ", by").get(0);
		assertThat(text(pairs)).isEqualTo(expected);
		assertThat(pairs).containsEntry("job.operator", "alice");
		assertThat(this.log.loggers(", by alice")).containsOnly("io.jobqueue.operations");
	}

	/**
	 * Put the line together from what a structured log has of it.
	 */
	private static String text(Map<String, String> pairs) {
		String value = pairs.containsKey("job.value") ? " to " + pairs.get("job.value") : "";
		String affected = pairs.containsKey("job.affected") ? ": " + pairs.get("job.affected") + " affected" : "";
		return pairs.get("job.operation") + " " + pairs.get("job.subject") + value + affected;
	}

	@Test
	void operatorWithoutNameIsUnknown() {
		QueueNode node = producer();
		node.operations().pause("emails");
		assertThat(this.log.messages("pause")).containsExactly("pause emails, by unknown");
	}

	/**
	 * The application supplies the name and may lack a class.
	 */
	@Test
	void operatorWhoCannotBeNamedIsUnknown() {
		AuditLog operators = new AuditLog(() -> {
			throw new NoClassDefFoundError("gone");
		});
		operators.done(operators.operation(Operation.of("delete"), "all jobs"), 7);
		assertThat(this.log.messages("delete")).containsExactly("delete all jobs: 7 affected, by unknown");
	}

	@Test
	void whatIsRefusedIsNotLogged() {
		QueueNode node = started((settings) -> settings.user("alice"));
		UUID job = enqueue(node);
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> node.operations().runHere(job));
		assertThatException().isThrownBy(() -> node.operations().retry(job));
		assertThat(this.log.messages(", by alice")).isEmpty();
	}

	@Test
	void runWhoseHandlerFailsIsLogged() {
		QueueNode node = started((settings) -> settings.user("alice").handler((mail, context) -> {
			throw new IllegalStateException("refused");
		}));
		UUID job = enqueue(node);
		assertThatException().isThrownBy(() -> node.operations().runHere(job)).withMessage("refused");
		assertThat(this.log.messages(", by alice")).containsExactly("run " + job + ", by alice");
	}

	@Test
	void jobThatIsToBeCancelledIsAffected() throws Exception {
		AtomicReference<JobOperations> operations = new AtomicReference<>();
		QueueNode node = started(
				(settings) -> settings.user("alice").handler((mail, context) -> operations.get().cancel(context.id())));
		operations.set(node.operations());
		UUID job = enqueue(node);
		node.operations().runHere(job);
		assertThat(this.log.messages("cancel ")).containsExactly("cancel " + job + ": 1 affected, by alice");
	}

	@Test
	void lineBreaksAreEscaped() {
		QueueNode node = node(settings().user("eve\u2028\u202e"));
		node.operations().bulk().replay(JobQuery.all().type("a\r\n2026-01-01 WARN\tall is lost\u0085"));
		assertThat(this.log.messages("all is lost"))
			.containsExactly("replay type a\\u000d\\u000a2026-01-01 WARN\\u0009all is lost\\u0085:"
					+ " 0 affected, by eve\\u2028\\u202e");
		assertThat(this.log.pairs("all is lost").get(0)).containsEntry("job.operator", "eve\\u2028\\u202e");
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue()
			.enqueue(JobRequest.of("emails", new Mail("hi"))
				.key("k")
				.priority(Priority.of(10))
				.delay(Duration.ofHours(1)))
			.id();
	}

	/**
	 * What an operator does about a job.
	 */
	interface Step {

		void take(JobOperations operations, UUID job) throws Exception;

	}

}

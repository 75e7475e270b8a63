package io.jobqueue.input;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;

import io.jobqueue.JobQuery;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.DatabaseEncoding;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Text in a database whose encoding has é but not €.
 */
class EncodingTests extends NodeTestBase {

	private static final Map<String, Consumer<QueueNode>> REFUSED = Map.of("payload",
			(node) -> node.queue().enqueue(new Mail("5 €")), "header",
			(node) -> node.queue().enqueue(mail().header("5 €", "")), "header price",
			(node) -> node.queue().enqueue(mail().header("price", "5 €")), "key",
			(node) -> node.queue().enqueue(mail().key("5 €")), "group",
			(node) -> node.queue().enqueue(mail().group("5 €")), "type",
			(node) -> node.queue().enqueue(JobRequest.of("prices", Map.of()).type("5€")), "batch",
			(node) -> node.queue().batch("5 €"), "name",
			(node) -> node.recurring().save(RecurringJobRequest.of("5€", mail()).fixedRate(Duration.ofDays(1))));

	EncodingTests() {
		super(MigratedDatabase.migrate(TestPostgres.freshDatabase("LATIN1")));
	}

	private static JobRequest mail() {
		return JobRequest.of(new Mail("é"));
	}

	@Test
	void textIsRefusedBeforeAnythingIsSent() {
		QueueNode node = producer();
		node.transaction().executeWithoutResult((status) -> {
			node.queue().enqueue(mail());
			REFUSED.forEach((property, producing) -> assertRefused(property, () -> producing.accept(node)));
			node.queue().enqueue(mail());
		});
		assertThat(count("jobqueue_jobs")).isEqualTo(2);
	}

	static final List<Consumer<QueueNode>> OPERATIONS = List.of((node) -> node.recurring().delete("5€"),
			(node) -> node.recurring().find("5€"), (node) -> node.recurring().trigger("5€"),
			(node) -> node.recurring().pause("5€"),
			(node) -> node.recurring().list(RecurringJobQuery.all().after("5€")),
			(node) -> node.operations().findByKey("default", "5€"), (node) -> node.operations().cancel("default", "5€"),
			(node) -> node.operations().clear("5€"), (node) -> node.operations().pause("default", "5€"),
			(node) -> node.operations().resume("default", "5€"), (node) -> node.operations().groupProgress("5€"),
			(node) -> node.operations().groupProgress("default", "5€"),
			(node) -> node.operations().list(JobQuery.all().error("5€")));

	@Test
	void textOfAnOperationIsRefusedBeforeAnythingIsSent() {
		QueueNode node = producer();
		node.transaction().executeWithoutResult((status) -> {
			OPERATIONS.forEach((operation) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> operation.accept(node))
				.withMessage(
						"A text contains the character U+20AC, which the encoding of the database, LATIN1, does not have"));
			node.queue().enqueue(mail());
		});
		assertThat(count("jobqueue_jobs")).isOne();
	}

	private static void assertRefused(String property, ThrowingCallable producing) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(producing)
			.withMessageContaining(
					"contains the character U+20AC, which the encoding of the database, LATIN1, does not have")
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@Test
	void errorAndProgressAreStoredWithReplacedCharacters() {
		QueueNode node = started(
				(settings) -> settings.name("é €").application("é €").bean(new Yearly()).handler((mail, job) -> {
					job.progress(5, "é € \uD83D\uDE00");
					await()
						.until(() -> "é ? ?".equals(column("coalesce(progress_message, '')", job.id(), String.class)));
					throw new IllegalStateException("é €");
				}));
		UUID job = node.queue().enqueue(mail().maxAttempts(2)).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class)).startsWith("java.lang.IllegalStateException: é ?\n");
		assertThat(column("history", job, String.class)).containsSubsequence("IllegalStateException: é ?\"",
				"IllegalStateException: é ?\"");
		assertThat(this.sql.sql("SELECT name, application FROM jobqueue_worker").query().singleRow())
			.isEqualTo(Map.of("name", "é ?", "application", "é ?"));
		assertThat(this.sql.sql("SELECT declared_by FROM jobqueue_recurring").query(String.class).single())
			.isEqualTo("é ?");
	}

	@Test
	void userOfAPauseIsStoredWithReplacedCharacters() {
		QueueNode node = node(settings().user("é €"));
		node.operations().pause("default");
		assertThat(node.operations().pauses()).singleElement()
			.satisfies((pause) -> assertThat(pause.by()).isEqualTo("é ?"));
	}

	@Test
	void capturedContextIsStoredWithReplacedCharacters() {
		QueueNode node = node(settings().mdcKeys("user"));
		MDC.put("user", "é €");
		try {
			UUID job = node.queue().enqueue(mail()).id();
			assertThat(column("headers", job, String.class)).isEqualTo("{\"jobqueue.mdc.user\":\"é ?\"}");
		}
		finally {
			MDC.clear();
		}
	}

	/**
	 * Java has ¥ in its charset of EUC_JP, and PostgreSQL has ￠.
	 */
	@ParameterizedTest
	@CsvSource({ "UTF8, あé¥￠€", "SQL_ASCII, あé¥￠€", "EUC_JP, あé?￠?", "EUC_KR, あ??￠€", "ISO_8859_5, ?????",
			"KOI8R, ?????", "WIN1252, ?é¥?€", "LATIN7, ?é???", "LATIN9, ?é¥?€", "MULE_INTERNAL, あé¥￠€" })
	void charactersOfEachEncodingAreThoseOfTheServer(String encoding, String stored) {
		assertThat(DatabaseEncoding.of(encoding).replaced("あé¥￠€")).isEqualTo(stored);
	}

	static class Yearly {

		@RecurringJob(name = "yearly", cron = "@yearly")
		void run() {
		}

	}

}

package io.jobqueue.internal.handler;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobFailure;
import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.RetryDecision;
import io.jobqueue.UnreadablePayloadException;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.payload.JacksonPayloadCodec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of stored payloads whose classes are changed or renamed.
 */
class PayloadEvolutionTests extends NodeTestBase {

	private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

	@Test
	void jobsThatAreStoredUnderAnAliasAreRunAndKeepTheirType() throws Exception {
		for (Object older : List.of(new SignUpMail(1), new WelcomeMail(2), new Welcome(3))) {
			producer().queue().enqueue("emails", older);
		}
		started((settings) -> settings.concurrency(1).bean(new Welcomes()));
		assertThat(nextCall()).isEqualTo("sign-up-mail 1");
		assertThat(nextCall()).isEqualTo("welcome-mail 2");
		assertThat(nextCall()).isEqualTo("welcome 3");
	}

	@Test
	void newJobsNeverGetAnAlias() {
		UUID job = node(settings().bean(new Welcomes())).queue().enqueue(new Welcome(1)).id();
		assertThat(column("type", job, String.class)).isEqualTo("welcome");
		assertThat(column("queue", job, String.class)).isEqualTo("emails");
	}

	@Test
	void aliasIsDeliveredAsItsHandlerSays() {
		UUID job = producer().queue().enqueue("alarms", new Siren(1)).id();
		started((settings) -> settings.bean(new Alarms()));
		awaitState(job, "DEAD");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void aliasIsWarnedOfNeitherAsUnknownNorAsUnreachable() throws Exception {
		try (CapturedLog log = new CapturedLog()) {
			producer().queue().enqueue("emails", new SignUpMail(1));
			started((settings) -> settings.bean(new Welcomes()));
			nextCall();
			assertThat(log.messages("sign-up-mail")).isEmpty();
		}
	}

	@Test
	void unknownPropertiesAreIgnoredDespiteTheApplicationsMapper() throws Exception {
		JsonMapper strict = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
		QueueNode node = node(settings().codec(new JacksonPayloadCodec(strict)).bean(new Welcomes()));
		store(node, """
				{"userId": 7, "colour": "blue", "more": {"of": ["it"]}}""", new Welcome(1));
		node.start();
		assertThat(nextCall()).isEqualTo("welcome 7");
	}

	@Test
	void missingReferenceIsNull() throws Exception {
		QueueNode node = node(settings().bean(new Parcels()));
		store(node, """
				{"weight": 3, "to": {"zip": 1}}""", Parcel.EXAMPLE);
		node.start();
		assertThat(nextCall()).isEqualTo("Parcel[weight=3, speed=null, to=Address[zip=1, street=null], stamps=null]");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			'weight'         | {"speed": "FAST"}
			'weight'         | {"weight": null}
			'weight'         | {"weight": "s3cret"}
			'weight'         | {"weight": {"s3cret": 1}}
			'speed'          | {"weight": 1, "speed": "S3CRET"}
			'to.zip'         | {"weight": 1, "to": {"street": "s3cret"}}
			'to.zip'         | {"weight": 1, "to": {"zip": "s3cret"}}
			'to'             | {"weight": 1, "to": "s3cret"}
			'stamps.[1]'     | {"weight": 1, "stamps": [1, "s3cret"]}
			'stamps'         | {"weight": 1, "stamps": "s3cret"}
			''               | "s3cret"
			""")
	void failureNamesThePropertyButNotItsValue(String path, String payload) {
		List<JobFailure> failures = new CopyOnWriteArrayList<>();
		QueueNode node = node(settings().bean(new Parcels()).retryPolicy((failure) -> {
			failures.add(failure);
			return RetryDecision.giveUp();
		}));
		try (CapturedLog log = new CapturedLog()) {
			UUID job = store(node, payload, Parcel.EXAMPLE);
			node.start();
			await().until(() -> log.steps(job.toString()).contains("dead"));
			assertThat(column("last_error", job, String.class)).startsWith(UnreadablePayloadException.class.getName())
				.containsPattern("Parcel' cannot be read: \\w+Exception at " + Pattern.quote(path + ", line 1"))
				.doesNotContainIgnoringCase("s3cret");
			assertThat(log.text()).doesNotContainIgnoringCase("s3cret");
			assertThat(failures).singleElement()
				.satisfies((failure) -> assertThat(failure.exception()).isInstanceOf(UnreadablePayloadException.class));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					: no value for the int in %s$Parcel. Change its type to Integer, or add a default       | {"speed": "FAST"}
					: no value for the int in %s$Parcel. Change its type to Integer, or add a default       | {"weight": null}
					: not a value of int in %s$Parcel. Make it accept the payloads of older jobs           | {"weight": "s3cret"}
					: not a value of %s$Speed in %s$Parcel. Make it accept the payloads of older jobs      | {"weight": 1, "speed": "S3CRET"}
					: not a value of %s$Address in %s$Parcel. Make it accept the payloads of older jobs    | {"weight": 1, "to": "s3cret"}
					""")
	void failureSaysWhatToDo(String remedy, String payload) {
		QueueNode node = node(settings().bean(new Parcels()).retryPolicy((failure) -> RetryDecision.giveUp()));
		UUID job = store(node, payload, Parcel.EXAMPLE);
		node.start();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class))
			.contains(remedy.replace("%s", PayloadEvolutionTests.class.getName()))
			.doesNotContainIgnoringCase("s3cret");
	}

	@Test
	void jobIsReadAgainOnItsNextAttempt() throws Exception {
		QueueNode node = node(settings().bean(new Welcomes()));
		UUID job = store(node, "{}", new Welcome(1));
		node.start();
		await().until(() -> column("attempts", job, Integer.class) > 1);
		this.sql.sql("UPDATE jobqueue_job SET payload = '{\"userId\": 5}'").update();
		assertThat(nextCall()).isEqualTo("welcome 5");
	}

	private UUID store(QueueNode node, String payload, Object like) {
		UUID job = node.queue().enqueue(like).id();
		this.sql.sql("UPDATE jobqueue_job SET payload = ? WHERE id = ?").param(payload).param(job).update();
		return job;
	}

	private String nextCall() throws InterruptedException {
		return this.calls.poll(30, TimeUnit.SECONDS);
	}

	@JobType("sign-up-mail")
	record SignUpMail(long userId) {
	}

	@JobType("welcome-mail")
	record WelcomeMail(long userId) {
	}

	@JobType(value = "welcome", aliases = { "sign-up-mail", "welcome-mail", "welcome" })
	record Welcome(long userId) {
	}

	@JobType("siren")
	record Siren(int building) {
	}

	@JobType(value = "alarm", aliases = "siren")
	record Alarm(int building) {
	}

	record Parcel(int weight, Speed speed, Address to, List<Integer> stamps) {

		static final Parcel EXAMPLE = new Parcel(1, Speed.FAST, new Address(1, "Long Street"), List.of());

	}

	record Address(int zip, String street) {
	}

	enum Speed {

		FAST, SLOW

	}

	@JobHandler(queue = "emails")
	final class Welcomes {

		void handle(Welcome welcome, JobContext job) {
			PayloadEvolutionTests.this.calls.add(job.type() + " " + welcome.userId());
		}

	}

	@JobHandler(queue = "parcels")
	final class Parcels {

		void handle(Parcel parcel) {
			PayloadEvolutionTests.this.calls.add(parcel.toString());
		}

	}

	@JobHandler(queue = "alarms", delivery = Delivery.AT_MOST_ONCE)
	static final class Alarms {

		JobResult handle(Alarm alarm) {
			return JobResult.retryIn(Duration.ZERO);
		}

	}

}

package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobType;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.KafkaTestBase;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.kafka.record.JobHeaders;
import io.jobqueue.testpostgres.ChildJvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

/**
 * Records that become jobs of the queue {@code inbox}.
 */
@Tag("slow") // starts a broker
class InboxTests extends ConsumeTestBase {

	/**
	 * A sequence counts although the transaction is rolled back.
	 */
	private static final String REFUSE = """
			CREATE SEQUENCE refused;
			CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			    'BEGIN PERFORM nextval(''refused''); RAISE ''refused''; END';
			CREATE TRIGGER refuse BEFORE INSERT ON jobqueue_key FOR EACH ROW EXECUTE FUNCTION refuse()
			""";

	private static final String ACCEPT = "DROP FUNCTION refuse() CASCADE; DROP SEQUENCE refused";

	private final List<Integer> handled = new CopyOnWriteArrayList<>();

	private final Map<Integer, JobContext> contexts = new ConcurrentHashMap<>();

	/**
	 * Both sides share a database here, so that the job of the record is another one.
	 */
	@Test
	void relayedJobBecomesAJob() {
		try (ConfigurableApplicationContext application = consume("jobqueue.queues.orders.relay.to=kafka",
				"jobqueue.queues.orders.relay.topic=" + this.topic)) {
			enqueue(application,
					JobRequest.of("orders", new Order(7))
						.orderedBy("customer-1")
						.header("region", "eu")
						.header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
			await().untilAsserted(() -> assertThat(this.handled).containsExactly(7));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(2));
			String id = this.sql.sql("SELECT id::text FROM jobqueue_archive WHERE queue = 'orders'")
				.query(String.class)
				.single();
			JobContext job = this.contexts.get(7);
			assertThat(job.key()).isEqualTo(id);
			assertThat(job.headers()).contains(entry("region", "eu"), entry("jobqueue-id", id),
					entry("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
			assertThat(this.sql.sql("SELECT ordering_key FROM jobqueue_archive WHERE queue = 'inbox'")
				.query(String.class)
				.single()).isEqualTo("customer-1");
		}
	}

	@Test
	void recordsOfAKeyRunInTheirOrder() {
		try (ConfigurableApplicationContext application = consume(setting("type=order"),
				"jobqueue.producer.require-transaction=true")) {
			assertThat(application.isRunning()).isTrue();
			sendInTransaction(messages(60, 3), KafkaProducer::commitTransaction);
			await().untilAsserted(() -> assertThat(this.handled).hasSize(60));
			for (int key = 0; key < 3; key++) {
				int remainder = key;
				assertThat(this.handled.stream().filter((number) -> number % 3 == remainder)).isSorted();
			}
			await().until(() -> committed() == BROKER.size(this.topic));
		}
	}

	/**
	 * The group has no offset of the partitions before.
	 */
	@Test
	void recordsThatAreRolledBackLeaveNoLag() {
		try (ConfigurableApplicationContext application = consume(setting("type=order"))) {
			assertThat(application.isRunning()).isTrue();
			sendInTransaction(messages(30, 30), KafkaProducer::abortTransaction);
			await().until(() -> committed() == BROKER.size(this.topic));
			assertThat(this.handled).isEmpty();
		}
	}

	@Test
	void recordThatIsNoJobDoesNotStopOthers() {
		try (ConfigurableApplicationContext application = consume("jobqueue.queues.inbox.max-attempts=2")) {
			send(List.of(message("key", json(1)), with(message(null, new byte[] { 0 }), JobHeaders.TYPE, "order"),
					with(message(null, json(2)), JobHeaders.TYPE, "not a type"), message("key", null),
					with(new ProducerRecord<>(this.topic, new byte[] { (byte) 0xff }, json(3)), JobHeaders.TYPE,
							"order"),
					with(message("x".repeat(801), json(4)), JobHeaders.TYPE, "order")));
			await().untilAsserted(() -> assertThat(this.handled).containsExactlyInAnyOrder(3, 4));
			await().untilAsserted(
					() -> assertThat(dead()).containsExactlyInAnyOrder("order", "unknown-record", "unknown-record"));
			RecordCounts counts = application.getBean(TopicConsumers.class).counts().get(this.topic);
			assertThat(counts.count(Outcome.TOMBSTONE)).isOne();
			assertThat(counts.count(Outcome.UNKNOWN)).isEqualTo(2);
			assertThat(counts.count(Outcome.ENQUEUED)).isEqualTo(3);
			assertThat(this.sql.sql("SELECT last_error FROM jobqueue_archive WHERE type = 'unknown-record'")
				.query(String.class)
				.list())
				.anySatisfy((error) -> assertThat(error)
					.contains("set the type of the topic's records with 'jobqueue.kafka.consume.<topic>.type'"));
		}
	}

	private List<String> dead() {
		return this.sql.sql("SELECT type FROM jobqueue_archive WHERE state = 'DEAD'").query(String.class).list();
	}

	/**
	 * As after a crash between the commit of the jobs and that of the offsets. The jobs
	 * are gone by then.
	 */
	@Test
	void recordThatIsDeliveredAgainIsIgnored() {
		String[] settings = { setting("type=order"), "jobqueue.defaults.retention.succeeded=0" };
		String id = UUID.randomUUID().toString();
		try (ConfigurableApplicationContext application = consume(settings)) {
			send(List.of(message("key", json(1)), with(message("key", json(2)), JobHeaders.ID, id),
					with(message("key", json(2)), JobHeaders.ID, id)));
			await().untilAsserted(() -> assertThat(this.handled).containsExactly(1, 2));
			await().untilAsserted(() -> assertThat(jobs()).isZero());
			assertThat(application.isRunning()).isTrue();
		}
		forgetOffsets();
		try (ConfigurableApplicationContext application = consume(settings)) {
			RecordCounts counts = application.getBean(TopicConsumers.class).counts().get(this.topic);
			await().untilAsserted(() -> assertThat(counts.count(Outcome.DUPLICATE)).isEqualTo(3));
			send(List.of(message("key", json(3))));
			await().untilAsserted(() -> assertThat(this.handled).containsExactly(1, 2, 3));
		}
	}

	@Test
	void recordsWaitForTheDatabase() {
		try (ConfigurableApplicationContext application = consume(setting("type=order"))) {
			this.sql.sql(REFUSE).update();
			try {
				send(List.of(message("key", json(1)), message("key", json(2))));
				await().until(() -> this.sql.sql("SELECT last_value FROM refused").query(Long.class).single() > 2);
				assertThat(application.getBean(TopicConsumers.class).problems()).hasSize(1)
					.allMatch((problem) -> problem.startsWith("The inbox of topic '%s'".formatted(this.topic)));
			}
			finally {
				this.sql.sql(ACCEPT).update();
			}
			await().untilAsserted(() -> assertThat(this.handled).containsExactly(1, 2));
			await().until(() -> committed() == 2);
		}
	}

	/**
	 * The client fails for good without an offset to begin with.
	 */
	@Test
	void consumerThatHasFailedIsOpenedAgain() {
		try (ConfigurableApplicationContext application = consume(setting("type=order"),
				"spring.kafka.consumer.auto-offset-reset=none")) {
			await().until(() -> application.getBean(TopicConsumers.class)
				.problems()
				.stream()
				.anyMatch((problem) -> problem.contains("no reset policy")));
			send(messages(3, 3));
			beginWithTheFirstRecords();
			await().untilAsserted(() -> assertThat(this.handled).hasSize(3));
		}
	}

	private void beginWithTheFirstRecords() {
		Map<TopicPartition, OffsetAndMetadata> starts = new HashMap<>();
		IntStream.range(0, 3)
			.forEach((number) -> starts.put(new TopicPartition(this.topic, number), new OffsetAndMetadata(0)));
		await().ignoreExceptions()
			.untilAsserted(() -> BROKER.admin()
				.alterConsumerGroupOffsets(this.group, starts)
				.all()
				.toCompletionStage()
				.toCompletableFuture()
				.join());
	}

	/**
	 * The group has an offset of each partition before its first record, although the
	 * database refuses that one while others are written.
	 */
	@Test
	void groupOfTheLatestRecordsMissesNoneWhileItIsStopped() {
		String[] settings = { setting("type=order"), "spring.kafka.consumer.auto-offset-reset=latest" };
		send(messages(3, 3));
		this.sql.sql(REFUSE).update();
		try (ConfigurableApplicationContext application = consume(settings)) {
			assertThat(application.isRunning()).isTrue();
			await().pollInterval(Duration.ofMillis(1)).until(() -> {
				send(messages(30, 30));
				return this.sql.sql("SELECT is_called FROM refused").query(Boolean.class).single();
			});
			assertThat(offsets()).hasSize(3);
		}
		finally {
			this.sql.sql(ACCEPT).update();
		}
		send(List.of(message("key", json(77))));
		try (ConfigurableApplicationContext application = consume(settings)) {
			assertThat(application.isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(this.handled).contains(77).hasSizeGreaterThan(30));
		}
	}

	/**
	 * The brokers refuse a second member of the same id, whose client fails for good.
	 */
	@Test
	void consumerWhoseIdIsTakenGoesOnOnceItIsFree() {
		String[] settings = { setting("type=order"), "spring.kafka.consumer.properties.group.protocol=consumer",
				"spring.kafka.consumer.properties.group.instance.id=same" };
		try (ConfigurableApplicationContext first = consume(settings)) {
			send(messages(3, 3));
			await().untilAsserted(() -> assertThat(this.handled).hasSize(3));
			try (ConfigurableApplicationContext second = consume(settings)) {
				TopicConsumers consumers = second.getBean(TopicConsumers.class);
				await().until(() -> consumers.problems()
					.stream()
					.anyMatch((problem) -> problem.contains("UnreleasedInstanceIdException")));
				first.stop();
				send(messages(3, 3));
				await().untilAsserted(() -> assertThat(this.handled).hasSize(6));
			}
		}
	}

	private ConfigurableApplicationContext consume(String... settings) {
		ConfigurableApplicationContext application = run(settings(settings));
		application.getBean(JobHandlerRegistry.class).register("inbox", Order.class, (order, job) -> {
			this.contexts.put(order.number(), job);
			this.handled.add(order.number());
			return JobResult.success();
		});
		return application;
	}

	private String[] settings(String... more) {
		String[] own = { setting("queue=inbox"), setting("mode=inbox"), setting("group=" + this.group),
				"spring.kafka.consumer.properties.metadata.max.age.ms=1000" };
		return Stream.of(own, more).flatMap(Arrays::stream).toArray(String[]::new);
	}

}

package io.jobqueue.internal.kafka.consume;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.core.ConsumerFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.consume.DirectApplication.Run;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.kafka.record.JobHeaders;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.testpostgres.ChildJvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Records of a share group. The tests share an application with four consumers of one
 * partition, which one of the last tests stops.
 */
@Tag("slow") // starts a broker and a JVM
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShareTests extends ConsumeTestBase {

	private static final String TOPIC = "share-" + UUID.randomUUID();

	private static final String GROUP = "group-" + UUID.randomUUID();

	private static final Duration LOCK = Duration.ofSeconds(3);

	private static final Duration SHORTEST_LOCK = Duration.ofSeconds(1);

	private static ConfigurableApplicationContext application;

	ShareTests() {
		super(TOPIC, GROUP);
	}

	/**
	 * The first record is there before the group is.
	 */
	@BeforeAll
	static void start() {
		DirectApplication.RUNS.clear();
		BROKER.create(TOPIC, 1, Map.of());
		lock(GROUP, LOCK);
		send(List.of(orderOf(TOPIC, 1, null)));
		application = KafkaApplication.run(DirectApplication.class,
				withServers("jobqueue.kafka.consume.%s.queue=inbox".formatted(TOPIC),
						"jobqueue.kafka.consume.%s.group=%s".formatted(TOPIC, GROUP),
						"jobqueue.kafka.consume.%s.group-type=share".formatted(TOPIC),
						"jobqueue.queues.inbox.concurrency=4", "jobqueue.queues.inbox.max-attempts=2",
						"jobqueue.queues.held.dead-head=hold", "jobqueue.worker.shutdown-timeout=200ms"));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	/**
	 * The application goes on.
	 */
	@AfterEach
	@Override
	protected void empty() {
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_key, jobqueue_dedupe").update();
	}

	@Test
	void groupBeginsWithTheFirstRecord() {
		await().untilAsserted(() -> assertThat(numbers()).contains(1));
	}

	/**
	 * They run for longer than their locks, one beside the other although they are of one
	 * key and partition.
	 */
	@Test
	void locksAreRenewedWhileHandlersRun() {
		long before = count(Outcome.SUCCEEDED);
		send(List.of(order("a", 10, "wait"), order("a", 11, "wait"), order("a", 12, "wait")));
		await().untilAsserted(() -> assertThat(numbers()).contains(10, 11, 12));
		await().during(LOCK.plusSeconds(1)).until(() -> count(Outcome.REDELIVERED) == 0);
		IntStream.rangeClosed(10, 12).forEach(DirectApplication::open);
		await().until(() -> count(Outcome.SUCCEEDED) == before + 3);
		awaitAcknowledgements();
		assertThat(numbers().stream().filter((number) -> number >= 10 && number <= 12)).hasSize(3);
		assertThat(count(Outcome.UNACKNOWLEDGED)).isZero();
		assertThat(jobs()).isZero();
	}

	@Test
	void whatDoesNotSucceedBecomesAJobWithoutOrder() {
		send(List.of(order("a", 20, "fail once"), new ProducerRecord<>(TOPIC, null, json(9)),
				with(new ProducerRecord<>(TOPIC, null, json(9)), JobHeaders.TYPE, "other"), message("a", null),
				order("a", 21, null)));
		await().untilAsserted(() -> assertThat(numbers().stream().filter((number) -> number == 20)).hasSize(2));
		awaitAcknowledgements();
		await().untilAsserted(() -> assertThat(
				this.sql.sql("SELECT type || attempts || coalesce(ordering_key, '') FROM jobqueue_jobs ORDER BY type")
					.query(String.class)
					.list())
			.containsExactly("order2", "other0", "unknown-record1"));
		assertThat(numbers()).contains(21);
	}

	@Test
	void consumersOfAPausedQueueLeaveTheGroup() {
		JobOperations operations = application.getBean(JobOperations.class);
		operations.pause("inbox");
		await().until(() -> members() == 0);
		send(List.of(order("a", 30, null)));
		await().during(Duration.ofMillis(300)).until(() -> members() == 0);
		assertThat(numbers()).doesNotContain(30);
		operations.resume("inbox");
		await().untilAsserted(() -> assertThat(numbers()).contains(30));
		assertThat(jobs()).isZero();
	}

	/**
	 * Its next delivery is a job, whose first attempt is the run that was too late.
	 */
	@ParameterizedTest
	@EnumSource(value = AcknowledgeType.class, names = { "ACCEPT", "RENEW" })
	void recordThatIsAcknowledgedTooLateIsDeliveredAgain(AcknowledgeType late) {
		int number = (late == AcknowledgeType.RENEW) ? 41 : 40;
		try (Member member = new Member(SHORTEST_LOCK, late)) {
			member.start();
			send(List.of(orderOf(member.topic, number, (late == AcknowledgeType.RENEW) ? "wait" : null)));
			await().until(() -> member.count(Outcome.UNACKNOWLEDGED) > 0);
			DirectApplication.open(number);
			await().until(() -> member.count(Outcome.REDELIVERED) == 1);
			assertThat(member.count(Outcome.SUCCEEDED)).isOne();
		}
		await().untilAsserted(() -> assertThat(attempts(number)).containsExactly(1, 2));
	}

	@Test
	void recordThatHasKilledItsJvmBecomesAJob() {
		try (Member member = new Member()) {
			send(List.of(orderOf(member.topic, 50, "halt"), orderOf(member.topic, 51, null)));
			String[] settings = withServers("jobqueue.kafka.consume.%s.queue=inbox".formatted(member.topic),
					"jobqueue.kafka.consume.%s.group=%s".formatted(member.topic, member.group),
					"jobqueue.kafka.consume.%s.group-type=share".formatted(member.topic),
					"jobqueue.queues.inbox.concurrency=1");
			try (ChildJvm child = ChildJvm.start(DirectApplication.class, Map.of(), settings)) {
				assertThat(child.awaitExit(Duration.ofMinutes(2))).isEqualTo(1);
			}
			member.start();
			await().until(() -> member.count(Outcome.REDELIVERED) > 0);
			await().untilAsserted(() -> assertThat(attempts(51)).hasSize(1));
		}
		await().untilAsserted(() -> assertThat(attempts(50)).containsExactly(2));
	}

	/**
	 * The client may fetch a record before it is polled. The lock of that record is not
	 * renewed.
	 */
	@Test
	void recordThatHasWaitedTooLongDoesNotRun() {
		try (Member member = new Member(SHORTEST_LOCK, null)) {
			member.start();
			send(List.of(orderOf(member.topic, 55, "wait")));
			await().until(() -> member.renewals.get() > 0);
			send(List.of(orderOf(member.topic, 56, null)));
			member.latePoll.set(true);
			DirectApplication.open(55);
			await().until(() -> member.count(Outcome.REDELIVERED) == 1);
			assertThat(member.count(Outcome.UNACKNOWLEDGED)).isPositive();
		}
		await().untilAsserted(() -> assertThat(attempts(56)).containsExactly(2));
	}

	@Test
	void groupWhoseSettingsMustNotBeSetIsRefused() throws InterruptedException {
		String group = "group-" + UUID.randomUUID();
		get(BROKER.admin()
			.createAcls(List.of(acl(group, AclOperation.ALTER_CONFIGS, AclPermissionType.DENY),
					acl(group, AclOperation.ALL, AclPermissionType.ALLOW)))
			.all());
		await().untilAsserted(() -> assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> group(this.topic, group).prepare())
			.withMessageContaining(".group-type' is 'share', but the settings of group '%s'".formatted(group))
			.satisfies((ex) -> assertThat(ex.action()).contains("ALTER_CONFIGS", "share.auto.offset.reset=earliest")));
		group(this.topic, GROUP).prepare();
	}

	/**
	 * Those of the application's consumers are those of the group.
	 */
	@Test
	void settingThatShareGroupsDoNotHaveIsRefused() {
		ConsumedTopic consumed = consumed(this.topic, GROUP);
		ConsumerSettings settings = new ConsumerSettings(consumed,
				Map.of("bootstrap.servers", BROKER.address(), "auto.offset.reset", "none"));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new ShareGroup(consumed, settings, new ClusterId()).prepare())
			.withMessageContaining("its group '%s' cannot have {".formatted(GROUP))
			.satisfies((ex) -> assertThat(ex.action()).contains("spring.kafka.consumer.auto-offset-reset", "earliest"));
	}

	private static AclBinding acl(String group, AclOperation operation, AclPermissionType type) {
		return new AclBinding(new ResourcePattern(ResourceType.GROUP, group, PatternType.LITERAL),
				new AccessControlEntry("User:*", "*", operation, type));
	}

	@Test
	void queueWhoseDeadJobsHoldOthersIsRefused() {
		KafkaProperties settings = new KafkaProperties(Map.of(TOPIC,
				new Consume("held", Mode.DIRECT, null, false, GROUP, GroupType.SHARE, Duration.ofDays(1))));
		TopicConsumers consumers = new TopicConsumers(settings, application.getBean(ConsumerFactory.class), null,
				application.getBean(RequestReader.class), application.getBean(Outbox.class),
				application.getBean(JobHandlerRegistry.class), application.getBean(DirectWorker.class));
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(consumers::start)
			.withMessageContaining(".group-type' is 'share', but its queue 'held' has 'dead-head: hold'");
	}

	/**
	 * Records that wait for a handler, or whose handlers do not end in time, are jobs
	 * without a counted attempt. Those behind them are delivered later, for the second
	 * time if a client has fetched them already.
	 */
	@Test
	@org.junit.jupiter.api.Order(Integer.MAX_VALUE - 1)
	void stopStoresWhatHasNotEnded() {
		send(IntStream.range(0, 6).mapToObj((number) -> order("a", 60 + number, "wait")).toList());
		await().until(() -> numbers().stream().filter((number) -> number >= 60).count() == 4);
		try (Member member = new Member()) {
			send(List.of(orderOf(member.topic, 66, null)));
			member.start();
			await().until(() -> member.runs.open() == 1);
			member.stop();
			assertThat(member.count(Outcome.ENQUEUED)).isOne();
		}
		await().untilAsserted(() -> assertThat(attempts(66)).containsExactly(1));
		application.close();
		assertThat(this.sql.sql("SELECT attempts FROM jobqueue_job").query(Integer.class).list()).containsExactly(0, 0,
				0, 0);
		assertThat(deliveries(2)).allMatch((number) -> number <= 2);
	}

	private static List<Integer> deliveries(int records) {
		try (ShareConsumer<byte[], byte[]> consumer = group(TOPIC, GROUP).consumer(9)) {
			consumer.subscribe(List.of(TOPIC));
			List<Integer> deliveries = new ArrayList<>();
			await().until(() -> {
				for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
					deliveries.add(Integer.valueOf(each.deliveryCount().orElseThrow()));
					consumer.acknowledge(each);
				}
				return deliveries.size() == records;
			});
			return deliveries;
		}
	}

	@Test
	@org.junit.jupiter.api.Order(Integer.MAX_VALUE)
	void clusterWithoutShareGroupsIsRefused() {
		set((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
		try {
			await().untilAsserted(() -> assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(() -> group(this.topic, GROUP).prepare())
				.withMessageContaining(".group-type' is 'share', but the cluster has not enabled share groups")
				.satisfies((ex) -> assertThat(ex.action()).contains("share.version=1")));
		}
		finally {
			set((short) 1, FeatureUpdate.UpgradeType.UPGRADE);
		}
	}

	private static void set(short level, FeatureUpdate.UpgradeType type) {
		get(BROKER.admin()
			.updateFeatures(Map.of("share.version", new FeatureUpdate(level, type)), new UpdateFeaturesOptions())
			.all());
	}

	private static void lock(String group, Duration time) {
		ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
		ConfigEntry duration = new ConfigEntry("share.record.lock.duration.ms", String.valueOf(time.toMillis()));
		get(BROKER.admin()
			.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(duration, AlterConfigOp.OpType.SET))))
			.all());
	}

	private static <T> T get(KafkaFuture<T> future) {
		return future.toCompletionStage().toCompletableFuture().join();
	}

	private static ProducerRecord<byte[], byte[]> orderOf(String topic, int number, @Nullable String action) {
		String json = "{\"number\":%s,\"action\":%s}".formatted(number, (action != null) ? "\"" + action + "\"" : null);
		return with(new ProducerRecord<>(topic, null, json.getBytes(UTF_8)), JobHeaders.TYPE, "order");
	}

	private static List<Integer> numbers() {
		return DirectApplication.RUNS.stream().map(Run::number).toList();
	}

	private static List<Integer> attempts(int number) {
		return DirectApplication.RUNS.stream()
			.filter((run) -> run.number() == number)
			.map((run) -> run.job().attempt())
			.toList();
	}

	private static long count(Outcome outcome) {
		return Objects.requireNonNull(application.getBean(TopicConsumers.class).counts().get(TOPIC)).count(outcome);
	}

	/**
	 * Brokers of Kafka 4.2 and 4.3 may not count a record that is acknowledged beside
	 * others, until one is acknowledged alone.
	 */
	private static void awaitAcknowledgements() {
		await().pollInterval(Duration.ofMillis(500)).until(() -> {
			boolean acknowledged = lag() == 0;
			if (!acknowledged) {
				send(List.of(orderOf(TOPIC, 0, null)));
			}
			return acknowledged;
		});
	}

	private static long lag() {
		return get(BROKER.admin()
			.listShareGroupOffsets(Map.of(GROUP, new ListShareGroupOffsetsSpec()))
			.partitionsToOffsetInfo(GROUP)).values().stream().mapToLong((info) -> info.lag().orElse(-1L)).sum();
	}

	private static int members() {
		return get(BROKER.admin().describeShareGroups(List.of(GROUP)).describedGroups().get(GROUP)).members().size();
	}

	private static ShareGroup group(String topic, String group) {
		ConsumedTopic consumed = consumed(topic, group);
		return new ShareGroup(consumed, settings(consumed), new ClusterId());
	}

	private static ConsumedTopic consumed(String topic, String group) {
		return ConsumedTopic.of(topic,
				new Consume("inbox", Mode.DIRECT, null, false, group, GroupType.SHARE, Duration.ofDays(1)), () -> null);
	}

	private static ConsumerSettings settings(ConsumedTopic topic) {
		return new ConsumerSettings(topic, Map.of("bootstrap.servers", BROKER.address()));
	}

	/**
	 * A consumer with a topic of one partition and a group of its own, whose first
	 * acknowledgement of a type may come after its lock has expired. Its records run in
	 * the application.
	 */
	private static final class Member implements AutoCloseable {

		private final String topic = "share-" + UUID.randomUUID();

		private final String group = "group-" + UUID.randomUUID();

		private final ConsumedTopic consumed = consumed(this.topic, this.group);

		private final ClusterId cluster = new ClusterId();

		private final DirectWorker worker = application.getBean(DirectWorker.class);

		private final RecordCounts counts = new RecordCounts();

		private final DirectRuns runs = new DirectRuns("inbox", this.worker, new RecordReader(this.consumed,
				this.cluster, application.getBean(RequestReader.class), (type) -> false), this.counts);

		private final @Nullable AcknowledgeType late;

		private final AtomicInteger renewals = new AtomicInteger();

		private final AtomicBoolean latePoll = new AtomicBoolean();

		private volatile boolean stopping;

		private CompletableFuture<Void> end = CompletableFuture.completedFuture(null);

		Member() {
			this(LOCK, null);
		}

		Member(Duration lock, @Nullable AcknowledgeType late) {
			this.late = late;
			BROKER.create(this.topic, 1, Map.of());
			lock(this.group, lock);
		}

		void start() {
			this.end = CompletableFuture.runAsync(this::run);
		}

		private void run() {
			ShareGroup shared = new ShareGroup(this.consumed, settings(this.consumed), this.cluster);
			try (ShareConsumer<byte[], byte[]> consumer = shared.consumer(0)) {
				shared.prepare();
				new ShareMember(this.consumed, delayed(consumer), this.runs, this.worker, this.counts,
						() -> this.stopping)
					.run(() -> {
					});
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@SuppressWarnings("unchecked")
		private ShareConsumer<byte[], byte[]> delayed(ShareConsumer<byte[], byte[]> consumer) {
			AtomicBoolean delayed = new AtomicBoolean();
			return (ShareConsumer<byte[], byte[]>) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { ShareConsumer.class }, (proxy, method, arguments) -> {
						boolean acknowledges = method.getName().equals("acknowledge");
						if (acknowledges && arguments[1] == this.late && delayed.compareAndSet(false, true)) {
							sleep();
						}
						if (acknowledges && arguments[1] == AcknowledgeType.RENEW) {
							this.renewals.incrementAndGet();
						}
						try {
							Object result = method.invoke(consumer, arguments);
							if (result instanceof ConsumerRecords<?, ?> records && has(records, "56")
									&& this.latePoll.compareAndSet(true, false)) {
								sleep();
							}
							return result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

		private static boolean has(ConsumerRecords<?, ?> records, String number) {
			for (ConsumerRecord<?, ?> each : records) {
				if (new String((byte[]) each.value(), UTF_8).contains(number)) {
					return true;
				}
			}
			return false;
		}

		private static void sleep() throws InterruptedException {
			Thread.sleep(SHORTEST_LOCK.multipliedBy(2).toMillis());
		}

		long count(Outcome outcome) {
			return this.counts.count(outcome);
		}

		void stop() {
			this.stopping = true;
			this.end.join();
		}

		@Override
		public void close() {
			stop();
		}

	}

}

package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;

/**
 * Consumes topics while the application context is running. Each has a consumer of its
 * own, with the application's settings where they keep the promise.
 */
public final class InboxConsumers implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(InboxConsumers.class);

	private static final Duration PAUSE = Duration.ofMillis(200);

	private static final Duration LOGIN_PAUSE = Duration.ofSeconds(10);

	private final Map<String, RecordCounts> counts = new TreeMap<>();

	private final Map<String, ConcurrentMessageListenerContainer<byte[], byte[]>> containers = new TreeMap<>();

	/**
	 * Create consumers, without a connection.
	 * @param settings the topics
	 * @param factory the application's consumer factory, {@code null} if it has none
	 * @param name the name of the application, {@code null} if it has none
	 * @param reader checks the jobs
	 * @param outbox enqueues the jobs, {@code null} if the application has a queue of its
	 * own
	 * @param handlers where the handlers that fail unknown records are registered
	 * @throws InvalidConfigurationException if a setting is missing or cannot work
	 */
	public InboxConsumers(KafkaProperties settings, @Nullable ConsumerFactory<?, ?> factory, @Nullable String name,
			RequestReader reader, @Nullable Outbox outbox, JobHandlerRegistry handlers) {
		Map<String, Object> application = (factory != null) ? factory.getConfigurationProperties() : Map.of();
		List<ConsumedTopic> topics = new ArrayList<>();
		settings.consume()
			.forEach((topic, own) -> topics.add(ConsumedTopic.of(topic, own,
					() -> Objects.toString(application.getOrDefault(ConsumerConfig.GROUP_ID_CONFIG, name), null))));
		if (!topics.isEmpty()) {
			require(factory, "has no ConsumerFactory, or several of which none is primary",
					"Add 'org.springframework.boot:spring-boot-starter-kafka' and set 'spring.kafka.bootstrap-servers', or define the bean.");
			Outbox own = require(outbox, "replaces the bean JobQueue",
					"Remove its own bean: an inbox enqueues with that of the module.");
			topics.forEach((topic) -> add(topic, application, new InboxListener(topic, new ClusterId(), reader, own)));
			topics.stream()
				.map(ConsumedTopic::queue)
				.distinct()
				.forEach((queue) -> UnknownRecord.fail(handlers, queue));
		}
	}

	private static <T> T require(@Nullable T bean, String problem, String remedy) {
		if (bean == null) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.kafka.consume' names topics, but the application %s.".formatted(problem),
					remedy);
		}
		return bean;
	}

	private void add(ConsumedTopic topic, Map<String, Object> application, InboxListener listener) {
		ContainerProperties properties = new ContainerProperties(topic.topic());
		properties.setGroupId(topic.group());
		properties.setAckMode(ContainerProperties.AckMode.BATCH);
		properties.setMessageListener(listener);
		properties.setAuthExceptionRetryInterval(LOGIN_PAUSE);
		ConcurrentMessageListenerContainer<byte[], byte[]> container = new ConcurrentMessageListenerContainer<>(
				new DefaultKafkaConsumerFactory<>(consumer(topic, application), new ByteArrayDeserializer(),
						listener.cluster()),
				properties);
		container.setBeanName("jobqueue-inbox-" + topic.topic());
		container.setCommonErrorHandler(retrying());
		this.containers.put(topic.topic(), container);
		this.counts.put(topic.topic(), listener.counts());
	}

	/**
	 * Records stay in memory until the database answers, and the consumer in its group.
	 */
	private static DefaultErrorHandler retrying() {
		DefaultErrorHandler handler = new DefaultErrorHandler(
				new FixedBackOff(PAUSE.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS));
		handler.setClassifications(Map.of(), true);
		handler.setLogLevel(KafkaException.Level.DEBUG);
		return handler;
	}

	/**
	 * A group without offsets begins with the first record, and records of transactions
	 * that were rolled back are skipped, unless the application says otherwise.
	 */
	private static Map<String, Object> consumer(ConsumedTopic topic, Map<String, Object> application) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
		properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
		properties.putAll(application);
		properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
		properties.put(ConsumerConfig.CLIENT_ID_CONFIG,
				properties.getOrDefault(ConsumerConfig.CLIENT_ID_CONFIG, "jobqueue") + "-inbox-" + topic.topic());
		return properties;
	}

	/**
	 * Return what became of the records that this node has consumed.
	 * @return the counts by topic
	 */
	public Map<String, RecordCounts> counts() {
		return this.counts;
	}

	@Override
	public void start() {
		this.containers.forEach((topic, container) -> {
			container.start();
			logger.info("The records of topic '{}' become jobs, in group '{}'", topic, container.getGroupId());
		});
	}

	@Override
	public void stop() {
		this.containers.values().forEach(ConcurrentMessageListenerContainer::stop);
	}

	@Override
	public boolean isRunning() {
		return this.containers.values().stream().anyMatch(ConcurrentMessageListenerContainer::isRunning);
	}

}

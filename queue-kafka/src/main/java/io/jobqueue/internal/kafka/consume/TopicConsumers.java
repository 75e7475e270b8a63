package io.jobqueue.internal.kafka.consume;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.direct.Sources;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;

/**
 * Consumes topics while the application context is running. Each has a consumer of its
 * own, with the application's settings where they keep the promise.
 */
public final class TopicConsumers implements SmartLifecycle, Sources {

	private static final Logger logger = LoggerFactory.getLogger(TopicConsumers.class);

	private final DirectWorker direct;

	private final Map<String, RecordCounts> counts = new TreeMap<>();

	private final List<TopicConsumer> consumers = new ArrayList<>();

	/**
	 * Create consumers, without a connection.
	 * @param settings the topics
	 * @param factory the application's consumer factory, {@code null} if it has none
	 * @param name the name of the application, {@code null} if it has none
	 * @param reader checks the jobs
	 * @param outbox enqueues the jobs, {@code null} if the application has a queue of its
	 * own
	 * @param handlers where the handlers that fail unknown records are registered
	 * @param direct runs records that are no jobs
	 * @throws InvalidConfigurationException if a setting is missing or cannot work
	 */
	public TopicConsumers(KafkaProperties settings, @Nullable ConsumerFactory<?, ?> factory, @Nullable String name,
			RequestReader reader, @Nullable Outbox outbox, JobHandlerRegistry handlers, DirectWorker direct) {
		this.direct = direct;
		Map<String, Object> application = (factory != null) ? factory.getConfigurationProperties() : Map.of();
		List<ConsumedTopic> topics = new ArrayList<>();
		settings.consume()
			.forEach((topic, own) -> topics.add(ConsumedTopic.of(topic, own, () -> group(application, name, topic))));
		ConsumedTopic.checkGroups(topics);
		if (!topics.isEmpty()) {
			require(factory, "has no ConsumerFactory, or several of which none is primary",
					"Add 'org.springframework.boot:spring-boot-starter-kafka' and set 'spring.kafka.bootstrap-servers', or define the bean.");
			Outbox own = require(outbox, "replaces the bean JobQueue",
					"Remove its own bean: jobs of records are enqueued with that of the module.");
			topics.forEach((topic) -> add(topic, new ConsumerSettings(topic, application), reader, own));
			Set<String> queues = new HashSet<>();
			topics.stream().filter((topic) -> queues.add(topic.queue())).forEach((topic) -> handle(topic, handlers));
		}
	}

	/**
	 * Topics of one group wait for each other's handlers in a rebalance.
	 */
	static @Nullable String group(Map<String, Object> application, @Nullable String name, String topic) {
		Object own = application.get(ConsumerConfig.GROUP_ID_CONFIG);
		if (own != null && StringUtils.hasText(own.toString())) {
			return own.toString();
		}
		return StringUtils.hasText(name) ? name + "-" + topic : null;
	}

	private static void handle(ConsumedTopic topic, JobHandlerRegistry handlers) {
		try {
			UnknownRecord.fail(handlers, topic.queue());
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(
					"The setting '%s' is '%s', but this queue cannot take records. %s"
						.formatted(ConsumedTopic.setting(topic.topic(), "queue"), topic.queue(), ex.description()),
					"Set another queue.", ex);
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

	private void add(ConsumedTopic topic, ConsumerSettings settings, RequestReader requests, Outbox outbox) {
		RecordCounts counts = new RecordCounts();
		RecordReader reader = new RecordReader(topic, new ClusterId(), requests,
				(type) -> this.direct.takesNull(topic.queue(), type));
		this.counts.put(topic.topic(), counts);
		this.consumers.add(consumer(topic, settings, reader, outbox, counts));
	}

	private TopicConsumer consumer(ConsumedTopic topic, ConsumerSettings settings, RecordReader reader, Outbox outbox,
			RecordCounts counts) {
		if (topic.isShared()) {
			return new ShareGroupConsumer(topic, settings, this.direct, reader, counts);
		}
		return new PollingConsumer(topic,
				topic.isDirect() ? new DirectPolling(topic, settings, this.direct, reader, counts)
						: new InboxPolling(topic, settings, reader, outbox, counts));
	}

	/**
	 * Return what became of the records that this node has consumed.
	 * @return the counts by topic
	 */
	public Map<String, RecordCounts> counts() {
		return this.counts;
	}

	/**
	 * Refuse the context if records cannot run before they are jobs.
	 */
	@Override
	public void start() {
		List<ConsumedTopic> topics = this.consumers.stream()
			.map(TopicConsumer::topic)
			.filter(ConsumedTopic::isDirect)
			.toList();
		topics.forEach(this::refuse);
		List<String> queues = topics.stream().map(ConsumedTopic::queue).filter(this.direct::serves).toList();
		if (!queues.isEmpty()) {
			this.direct.start(queues);
		}
		this.consumers.stream().filter(this::isServed).forEach((consumer) -> {
			consumer.start();
			logger.info("The records of topic '{}' are consumed in group '{}' ({})", consumer.topic().topic(),
					consumer.topic().group(), consumer.topic().kind());
		});
	}

	private void refuse(ConsumedTopic topic) {
		String reason = this.direct.refusal(topic.queue());
		if (reason != null) {
			throw new InvalidConfigurationException(
					"The topic '%s' is consumed directly, so that its records run before they are jobs, but %s."
						.formatted(topic.topic(), reason),
					"Set '%s: inbox'%s: each record becomes a job of the queue before it runs.".formatted(
							ConsumedTopic.setting(topic.topic(), "mode"),
							topic.isShared() ? ", and remove 'group-type'" : ""));
		}
		if (topic.isShared() && this.direct.holdsKeys(topic.queue())) {
			throw ConsumedTopic.invalid(topic.topic(), "group-type",
					"'share', but its queue '%s' has 'dead-head: hold'".formatted(topic.queue()),
					"Remove one of them: the records of a share group have no order, so that no job waits for another one of its key.");
		}
	}

	private boolean isServed(TopicConsumer consumer) {
		return !consumer.topic().isDirect() || this.direct.serves(consumer.topic().queue());
	}

	@Override
	public void stop() {
		this.consumers.forEach(TopicConsumer::beginStop);
		this.consumers.forEach(TopicConsumer::stop);
		this.direct.stop();
	}

	@Override
	public boolean isRunning() {
		return this.consumers.stream().anyMatch(TopicConsumer::isRunning);
	}

	@Override
	public List<String> problems() {
		return this.consumers.stream().map(TopicConsumer::problem).flatMap(Stream::ofNullable).toList();
	}

}

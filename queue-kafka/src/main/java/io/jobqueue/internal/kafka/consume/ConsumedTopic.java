package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.kafka.record.TopicName;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.store.StorableDuration;

/**
 * A topic whose records are consumed.
 *
 * @param topic the name of the topic
 * @param mode what happens to a record before its offset is acknowledged
 * @param queue the queue of the jobs
 * @param type the type of records that name none, {@code null} for none
 * @param binary whether the codec of the queue reads bytes
 * @param group the group of the consumers
 * @param groupType the type of the group
 * @param dedupeFor how long an id is remembered after the success of its job
 */
record ConsumedTopic(String topic, KafkaProperties.Mode mode, String queue, @Nullable String type, boolean binary,
		String group, KafkaProperties.GroupType groupType, Duration dedupeFor) {

	/**
	 * The name of a partition as a source contains that of the group.
	 */
	private static final int MAX_GROUP = 400;

	/**
	 * Check the settings of a topic and complete them.
	 * @param group supplies the group by default
	 * @throws InvalidConfigurationException if a setting is missing or cannot work
	 */
	static ConsumedTopic of(String topic, KafkaProperties.Consume settings, Supplier<@Nullable String> group) {
		TopicName.check("jobqueue.kafka.consume", topic);
		String type = StringUtils.hasText(settings.type()) ? settings.type() : null;
		checkType(topic, type);
		checkDedupeFor(topic, settings.dedupeFor());
		checkGroupType(topic, settings);
		return new ConsumedTopic(topic, settings.mode(), queue(topic, settings.queue()), type, settings.binary(),
				group(topic, settings.group(), group), settings.groupType(), settings.dedupeFor());
	}

	private static void checkDedupeFor(String topic, Duration time) {
		if (time.isNegative() || !StorableDuration.isStorable(time)) {
			throw invalid(topic, "dedupe-for",
					"'%s', which is %s".formatted(time, time.isNegative() ? "negative" : "longer than 100 years"),
					"Set a time such as '7d', or '0' to remember no ids of jobs that have succeeded.");
		}
	}

	private static void checkGroupType(String topic, KafkaProperties.Consume settings) {
		if (settings.groupType() == KafkaProperties.GroupType.SHARE && settings.mode() != KafkaProperties.Mode.DIRECT) {
			throw invalid(topic, "group-type", "'share', but its mode is 'inbox'",
					"Remove one of them: an inbox stores the records of a partition in their order, at once.");
		}
	}

	private static String queue(String topic, @Nullable String queue) {
		if (queue == null || !QueueNames.isValid(queue)) {
			throw invalid(topic, "queue", (queue != null) ? "'%s'".formatted(queue) : "missing",
					"Set the queue of its jobs, a name that matches %s.".formatted(QueueNames.RULE));
		}
		return queue;
	}

	private static void checkType(String topic, @Nullable String type) {
		if (type != null) {
			try {
				JobTypes.check(type);
			}
			catch (JobRejectedException ex) {
				throw invalid(topic, "type", "'%s', but it %s".formatted(type, ex.reason()),
						"Set the name of a type that a handler of the queue has.");
			}
		}
	}

	private static String group(String topic, @Nullable String own, Supplier<@Nullable String> otherwise) {
		String group = StringUtils.hasText(own) ? own : otherwise.get();
		if (!StringUtils.hasText(group)) {
			throw invalid(topic, "group", "missing",
					"Set it, or 'spring.kafka.consumer.group-id' or 'spring.application.name'.");
		}
		if (group.length() > MAX_GROUP) {
			throw invalid(topic, "group", "longer than %s characters".formatted(MAX_GROUP), "Set a shorter one.");
		}
		return group;
	}

	/**
	 * Check that no group has topics of both types.
	 * @throws InvalidConfigurationException if one has
	 */
	static void checkGroups(Collection<ConsumedTopic> topics) {
		for (ConsumedTopic shared : topics) {
			for (ConsumedTopic other : topics) {
				if (shared.isShared() && !other.isShared() && shared.group().equals(other.group())) {
					throw invalid(shared.topic(), "group",
							"'%s' by itself or by default, as is that of topic '%s', whose group is of type 'consumer'"
								.formatted(shared.group(), other.topic()),
							"Set another one: a group has one type.");
				}
			}
		}
	}

	static InvalidConfigurationException invalid(String topic, String name, String what, String remedy) {
		return new InvalidConfigurationException("The setting '%s' is %s.".formatted(setting(topic, name), what),
				remedy);
	}

	boolean isDirect() {
		return this.mode == KafkaProperties.Mode.DIRECT;
	}

	boolean isShared() {
		return this.groupType == KafkaProperties.GroupType.SHARE;
	}

	/**
	 * Return the name of the mode, for names of clients and threads.
	 */
	String kind() {
		if (isShared()) {
			return "share";
		}
		return isDirect() ? "direct" : "inbox";
	}

	/**
	 * Return the name of the topic as a source of jobs of this group.
	 */
	String source() {
		return "kafka:" + this.group + ":" + this.topic;
	}

	/**
	 * Return the name of a partition as a source of jobs of this group.
	 */
	String source(int partition) {
		return source() + "-" + partition;
	}

	/**
	 * Return the key of a setting of a topic.
	 */
	static String setting(String topic, String name) {
		return "jobqueue.kafka.consume.%s.%s".formatted(topic.matches("[a-z0-9-]+") ? topic : "[" + topic + "]", name);
	}

}

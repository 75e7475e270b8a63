package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the module for Kafka.
 *
 * @param consume Topics whose records become jobs, by name. Write a name with dots in
 * brackets.
 */
@ConfigurationProperties(prefix = "jobqueue.kafka", ignoreUnknownFields = false)
public record KafkaProperties(@DefaultValue Map<String, Consume> consume) {

	/**
	 * Settings of a topic whose records become jobs.
	 *
	 * @param queue Queue of the jobs.
	 * @param mode What happens to a record before its offset is acknowledged. With
	 * direct, its handler succeeds, or it becomes a job in the table. With inbox, it
	 * becomes a job in the table before it runs.
	 * @param type Type of records that name none. Default: they become dead jobs of the
	 * type unknown-record.
	 * @param binary Whether values are for a codec that writes bytes instead of text.
	 * @param group Group of the consumers. Default: spring.kafka.consumer.group-id, else
	 * spring.application.name, a hyphen and the topic.
	 * @param groupType Type of the group. With consumer, each partition has one consumer,
	 * and the records of a key run in their order. With share, consumers share the
	 * records of all partitions, which have no order; it needs Kafka 4.2 and direct mode.
	 * @param dedupeFor How long after the success of its job a record with the same id is
	 * ignored.
	 */
	public record Consume(@Nullable String queue, @DefaultValue("direct") Mode mode, @Nullable String type,
			@DefaultValue("false") boolean binary, @Nullable String group,
			@DefaultValue("consumer") GroupType groupType, @DefaultValue("1d") Duration dedupeFor) {

	}

	/**
	 * What happens to a record before its offset is acknowledged.
	 */
	public enum Mode {

		/**
		 * Its handler succeeds, or it becomes a job.
		 */
		DIRECT,

		/**
		 * It becomes a job.
		 */
		INBOX

	}

	/**
	 * The type of a group.
	 */
	public enum GroupType {

		/**
		 * Each partition has one consumer at a time.
		 */
		CONSUMER,

		/**
		 * Each record has one consumer at a time.
		 */
		SHARE

	}

}

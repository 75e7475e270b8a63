package io.jobqueue;

import java.time.Instant;
import java.util.Map;

/**
 * A subscription to a topic, for one type of jobs.
 *
 * @param topic the topic
 * @param subscriber the subscriber
 * @param type the name of the type
 * @param queue the queue that receives the jobs
 * @param filter the values of the headers that a published job must have, by their names
 * @param lastDeclaredAt when a worker declared it last, by the database's clock; running
 * workers do so at their start and hourly
 */
public record TopicSubscription(String topic, String subscriber, String type, String queue, Map<String, String> filter,
		Instant lastDeclaredAt) {
}

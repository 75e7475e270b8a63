package io.jobqueue.internal.boot.endpoint;

import java.util.List;
import java.util.function.Predicate;

import io.jobqueue.JobOperations;
import io.jobqueue.TopicSubscription;

/**
 * The paths of topics: lists and ends subscriptions.
 */
final class TopicResource {

	/**
	 * Maximum number of subscriptions in a response.
	 */
	private static final int MAX_ROWS = 1_000;

	private final JobOperations operations;

	TopicResource(JobOperations operations) {
		this.operations = operations;
	}

	Object list(RequestParameters parameters) {
		return list(parameters, (subscription) -> true);
	}

	Object show(String topic, RequestParameters parameters) {
		return list(parameters, (subscription) -> subscription.topic().equals(topic));
	}

	private ResponseBody list(RequestParameters parameters, Predicate<TopicSubscription> selected) {
		parameters.requireOnly();
		List<TopicSubscription> found = this.operations.subscriptions().stream().filter(selected).toList();
		return ResponseBody.of("subscriptions", found.stream().limit(MAX_ROWS).map(TopicResource::describe).toList())
			.with("partial", found.size() > MAX_ROWS);
	}

	private static ResponseBody describe(TopicSubscription subscription) {
		return ResponseBody.of("topic", subscription.topic())
			.with("subscriber", subscription.subscriber())
			.with("type", subscription.type())
			.with("queue", subscription.queue())
			.with("filter", subscription.filter())
			.with("lastDeclaredAt", subscription.lastDeclaredAt());
	}

	Object run(String operation, String topic, RequestParameters parameters) {
		parameters.requireOnly("subscriber");
		String subscriber = parameters.requiredText("subscriber");
		if (!operation.equals("unsubscribe")) {
			throw new IllegalArgumentException(
					"Unknown operation '%s' of a topic: use unsubscribe".formatted(operation));
		}
		return this.operations.unsubscribe(topic, subscriber)
				? ResponseBody.of("operation", operation).with("topic", topic).with("subscriber", subscriber)
				: ErrorResponses.unknown("Topic '%s' has no subscription of '%s'".formatted(topic, subscriber));
	}

}

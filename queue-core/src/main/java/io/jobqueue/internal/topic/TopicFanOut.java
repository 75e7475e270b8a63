package io.jobqueue.internal.topic;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.outbox.FanOut;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.store.SubscriptionStore;

/**
 * Turns a published request into a request for each subscription that matches it. The
 * subscriptions are read each time: those of other nodes count from their commit on.
 */
public final class TopicFanOut implements FanOut {

	private final SubscriptionStore store;

	private final RequestReader reader;

	/**
	 * Create it.
	 * @param store finds the subscriptions
	 * @param reader checks the options of requests and names their types
	 */
	public TopicFanOut(SubscriptionStore store, RequestReader reader) {
		this.store = store;
		this.reader = reader;
	}

	@Override
	public List<JobRequest> requests(String topic, JobRequest published) {
		check(topic, published);
		List<String> types = this.reader.types(published);
		return this.store.queues(topic, types, headers(published)).stream().map(published::queue).toList();
	}

	/**
	 * A header whose name contains the separator could look like another one.
	 */
	private static List<String> headers(JobRequest published) {
		return published.headers()
			.entrySet()
			.stream()
			.filter((header) -> header.getKey().indexOf('=') < 0)
			.map((header) -> header.getKey() + "=" + header.getValue())
			.toList();
	}

	/**
	 * Check what a published request must not have.
	 * @param topic the topic
	 * @param published the request
	 * @throws JobRejectedException if the name of the topic is invalid, or the request
	 * has a queue, a key or predecessors
	 */
	public static void check(@Nullable String topic, JobRequest published) {
		if (topic == null || !QueueNames.isValid(topic)) {
			throw new JobRejectedException("topic", "is '%s', but must match %s".formatted(topic, QueueNames.RULE));
		}
		if (published.queue() != null) {
			throw new JobRejectedException("queue",
					"is '%s', but each subscription has its own: omit the queue".formatted(published.queue()));
		}
		if (published.key() != null) {
			throw new JobRejectedException("key",
					"is '%s', but each subscription receives a job of its own: omit the key"
						.formatted(published.key()));
		}
		if (!published.predecessors().isEmpty()) {
			throw new JobRejectedException("after",
					"names predecessors, but what is published waits for no job: publish in a job that follows them");
		}
	}

}

package io.jobqueue.boot.autoconfigure;

import java.util.Comparator;
import java.util.Set;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.jobqueue.handler.JobHandlers;
import io.jobqueue.payload.QueueNames;

/**
 * Refuses settings for a queue that nothing here knows: most likely its name is misspelt.
 */
final class UnknownQueueCheck implements SmartInitializingSingleton {

	private final NodeSettings settings;

	private final JobHandlers handlers;

	UnknownQueueCheck(NodeSettings settings, JobHandlers handlers) {
		this.settings = settings;
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> known = this.settings.known(this.handlers);
		for (String queue : this.settings.queues().namesBeyond(known)) {
			throw unknown(queue, known);
		}
	}

	private static InvalidSettingException unknown(String queue, Set<String> known) {
		String nearest = known.stream()
			.min(Comparator.comparingInt((candidate) -> EditDistance.between(queue, candidate)))
			.orElse(QueueNames.DEFAULT);
		return new InvalidSettingException(
				"There are settings for the queue '%s' under 'jobqueue.queues.%s', but neither a handler, 'jobqueue.worker.queues' nor the @JobType of a handled payload knows it. The nearest name is '%s'; all known queues: %s."
					.formatted(queue, queue, nearest, String.join(", ", known)),
				"Correct the name, remove the settings, or add the queue to 'jobqueue.worker.queues'.");
	}

}

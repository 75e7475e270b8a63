package io.jobqueue.boot.autoconfigure;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.jobqueue.handler.JobHandlers;
import io.jobqueue.payload.QueueNames;

/**
 * Refuses settings for a queue that nothing here knows, and warns of one to serve that
 * nothing here handles: most likely its name is misspelt.
 */
final class UnknownQueueCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownQueueCheck.class);

	private final NodeSettings settings;

	private final JobHandlers handlers;

	UnknownQueueCheck(NodeSettings settings, JobHandlers handlers) {
		this.settings = settings;
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> known = this.settings.known(this.handlers);
		this.settings.queues().namesBeyond(known).stream().findFirst().ifPresent((queue) -> {
			throw unknown(queue, known);
		});
		warnOfUnhandled(this.handlers.typesByQueue().keySet());
	}

	private void warnOfUnhandled(Set<String> handled) {
		Set<String> unhandled = new TreeSet<>((this.settings.served() != null) ? this.settings.served() : Set.of());
		unhandled.removeAll(handled);
		unhandled.forEach((queue) -> logger.warn(
				"'jobqueue.worker.queues' names '{}', for which there is no handler here: this node does not serve it. {} Correct the name, or add a handler.",
				queue, nearest(queue, handled).map("The nearest queue with a handler is '%s'."::formatted)
					.orElse("No queue has a handler here.")));
	}

	private static InvalidSettingException unknown(String queue, Set<String> known) {
		String nearest = nearest(queue, known).orElse(QueueNames.DEFAULT);
		return new InvalidSettingException(
				"There are settings for the queue '%s' under 'jobqueue.queues.%s', but neither a handler, 'jobqueue.worker.queues' nor the @JobType of a handled payload knows it. The nearest name is '%s'; all known queues: %s."
					.formatted(queue, queue, nearest, String.join(", ", known)),
				"Correct the name, remove the settings, or add the queue to 'jobqueue.worker.queues', which then has to name all others that are served here. Settings of a queue whose jobs are only pulled belong under 'jobqueue.defaults'.");
	}

	private static Optional<String> nearest(String queue, Set<String> names) {
		return names.stream().min(Comparator.comparingInt((name) -> EditDistance.between(queue, name)));
	}

}

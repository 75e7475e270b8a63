package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.jobqueue.Priority;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.worker.QueueSettings;

/**
 * How queues are served.
 */
final class ConfiguredQueues {

	private static final String PREFIX = "jobqueue.queues.";

	private final ConfiguredQueue others;

	private final Map<String, ConfiguredQueue> queues = new TreeMap<>();

	ConfiguredQueues(QueueDefaults defaults, Map<String, QueueOverrides> queues) {
		this.others = ConfiguredQueue.of("jobqueue.defaults", new QueueOverrides(), defaults);
		queues.forEach((name, own) -> {
			checkName(PREFIX + name, name);
			this.queues.put(name, ConfiguredQueue.of(PREFIX + name, own, defaults));
		});
	}

	static void checkName(String property, String name) {
		if (!QueueNames.isValid(name)) {
			throw new InvalidSettingException("The setting '%s' names the queue '%s'.".formatted(property, name),
					"Give the queue a name that matches %s.".formatted(QueueNames.PATTERN));
		}
	}

	Set<String> names() {
		return this.queues.keySet();
	}

	QueueSettings settings(String queue) {
		return of(queue).settings();
	}

	Priority defaultPriority(String queue) {
		return of(queue).priority();
	}

	private ConfiguredQueue of(String queue) {
		return this.queues.getOrDefault(queue, this.others);
	}

}

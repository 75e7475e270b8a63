package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

	/**
	 * Return the queues with settings of their own, but for the given ones.
	 */
	Set<String> namesBeyond(Set<String> others) {
		Set<String> known = others.stream().map(ConfiguredQueues::withoutPunctuation).collect(Collectors.toSet());
		Set<String> names = new TreeSet<>(this.queues.keySet());
		names.removeIf((name) -> known.contains(withoutPunctuation(name)));
		return names;
	}

	QueueSettings settings(String queue) {
		return of(queue).settings();
	}

	Priority defaultPriority(String queue) {
		return of(queue).priority();
	}

	private ConfiguredQueue of(String queue) {
		ConfiguredQueue own = this.queues.get(queue);
		if (own == null) {
			own = this.queues.get(withoutPunctuation(queue));
		}
		return (own != null) ? own : this.others;
	}

	/**
	 * Return what Spring Boot makes of a name in an environment variable, which cannot
	 * spell more.
	 */
	private static String withoutPunctuation(String name) {
		return name.replaceAll("[-_]", "");
	}

}

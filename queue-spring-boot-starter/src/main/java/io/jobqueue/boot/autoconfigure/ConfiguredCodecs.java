package io.jobqueue.boot.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.springframework.beans.factory.ListableBeanFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.PayloadCodec;
import io.jobqueue.internal.boot.datasource.BeanSelection;
import io.jobqueue.internal.boot.settings.ConfiguredQueues;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.PayloadCodecs;

/**
 * Selects the codecs of queues: the bean that the settings name for a queue, else the one
 * for all queues, else JSON.
 */
final class ConfiguredCodecs {

	/**
	 * The name of the bean that stores JSON.
	 */
	static final String JSON = "jobQueueJsonCodec";

	private ConfiguredCodecs() {
	}

	/**
	 * Find the beans that the settings name.
	 * @param queues the settings of queues
	 * @param beans where codecs are found
	 */
	static PayloadCodecs of(ConfiguredQueues queues, ListableBeanFactory beans) {
		List<String> names = BeanSelection.names(PayloadCodec.class, beans).stream().sorted().toList();
		Map<String, PayloadCodec> named = new HashMap<>();
		queues.codecs().forEach((property, name) -> named.put(name, named(property, name, names, beans)));
		String common = queues.commonCodec();
		return new PayloadCodecs(byQueue(queues, named),
				(common != null) ? Objects.requireNonNull(named.get(common)) : common(names, named.keySet(), beans),
				beans.getBean(JSON, JacksonPayloadCodec.class));
	}

	private static PayloadCodec named(String property, String name, List<String> names, ListableBeanFactory beans) {
		if (!names.contains(name)) {
			throw new InvalidConfigurationException(
					"The setting '%s' names '%s', but no bean of type PayloadCodec has that name. Known beans: %s."
						.formatted(property, name, String.join(", ", names)),
					"Correct the name, or declare the bean.");
		}
		return beans.getBean(name, PayloadCodec.class);
	}

	private static Map<String, PayloadCodec> byQueue(ConfiguredQueues queues, Map<String, PayloadCodec> named) {
		Map<String, PayloadCodec> byQueue = new HashMap<>();
		for (String queue : queues.names()) {
			String name = queues.codec(queue);
			if (name != null) {
				byQueue.put(queue, Objects.requireNonNull(named.get(name)));
			}
		}
		return byQueue;
	}

	/**
	 * A bean that settings name is for the queues that they are for.
	 */
	private static PayloadCodec common(List<String> names, Set<String> named, ListableBeanFactory beans) {
		List<String> unnamed = new ArrayList<>(names);
		unnamed.remove(JSON);
		unnamed.removeAll(named);
		if (unnamed.size() <= 1) {
			return beans.getBean(unnamed.isEmpty() ? JSON : unnamed.get(0), PayloadCodec.class);
		}
		PayloadCodec primary = beans.getBeanProvider(PayloadCodec.class).getIfUnique();
		if (primary == null) {
			throw ambiguous(unnamed);
		}
		return primary;
	}

	private static InvalidConfigurationException ambiguous(List<String> unnamed) {
		return new InvalidConfigurationException(
				"There are several beans of type PayloadCodec for all queues, and none is primary: %s."
					.formatted(String.join(", ", unnamed)),
				"Name the one to use in 'jobqueue.defaults.codec', or those of single queues in 'jobqueue.queues.<name>.codec'.");
	}

}

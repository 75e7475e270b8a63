package io.jobqueue.boot.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.beans.factory.ListableBeanFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.PayloadCodec;
import io.jobqueue.internal.boot.datasource.BeanSelection;
import io.jobqueue.internal.boot.settings.ConfiguredQueues;
import io.jobqueue.internal.payload.PayloadCodecs;

/**
 * The codecs of queues: the bean that the settings name for a queue, else the one for all
 * queues, else JSON.
 */
final class ConfiguredCodecs implements PayloadCodecs {

	/**
	 * The name of the bean that stores JSON.
	 */
	static final String JSON = "jobQueueJsonCodec";

	private final ConfiguredQueues queues;

	private final Map<String, PayloadCodec> named = new HashMap<>();

	private final PayloadCodec common;

	/**
	 * Find the beans that the settings name.
	 * @param queues the settings of queues
	 * @param beans where codecs are found
	 */
	ConfiguredCodecs(ConfiguredQueues queues, ListableBeanFactory beans) {
		this.queues = queues;
		List<String> names = BeanSelection.names(PayloadCodec.class, beans).stream().sorted().toList();
		queues.codecs().forEach((property, name) -> this.named.put(name, named(property, name, names, beans)));
		String common = queues.commonCodec();
		this.common = (common != null) ? beans.getBean(common, PayloadCodec.class) : common(names, beans);
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

	/**
	 * A bean that settings name is for the queues that they are for.
	 */
	private PayloadCodec common(List<String> names, ListableBeanFactory beans) {
		List<String> unnamed = new ArrayList<>(names);
		unnamed.remove(JSON);
		unnamed.removeAll(this.named.keySet());
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

	@Override
	public PayloadCodec of(String queue) {
		String name = this.queues.codec(queue);
		return (name != null) ? Objects.requireNonNull(this.named.get(name)) : this.common;
	}

}

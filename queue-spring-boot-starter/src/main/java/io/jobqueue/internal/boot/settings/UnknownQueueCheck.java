package io.jobqueue.internal.boot.settings;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.policy.QueueSettings;

/**
 * Refuses names of queues and types in settings that are most likely misspelt: this node
 * does not know them, but a name that is one or two letters away or differs in its dashes
 * and underscores only. Any other name is accepted: applications with other handlers may
 * share settings.
 */
public final class UnknownQueueCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownQueueCheck.class);

	private final NodeSettings settings;

	private final JobHandlers handlers;

	private final ConfigurableEnvironment environment;

	private final boolean worker;

	/**
	 * Create a check.
	 * @param settings the settings
	 * @param handlers the handlers
	 * @param environment where the settings come from
	 * @param worker whether this node serves queues
	 */
	public UnknownQueueCheck(NodeSettings settings, JobHandlers handlers, ConfigurableEnvironment environment,
			boolean worker) {
		this.settings = settings;
		this.handlers = handlers;
		this.environment = environment;
		this.worker = worker;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> known = this.settings.known(this.handlers);
		Set<String> unknown = new TreeSet<>(this.settings.queues().names());
		unknown.removeAll(known);
		unknown.forEach((queue) -> checkSettings(queue, known));
		this.settings.queues().own().forEach(this::checkTypes);
		if (this.worker && this.settings.served() != null) {
			Set<String> taken = new TreeSet<>(this.handlers.typesByQueue().keySet());
			this.settings.queues().relays().forEach((relay) -> taken.add(relay.queue()));
			checkServed(this.settings.served(), taken);
		}
	}

	/**
	 * Known queues with settings of their own lead to a warning only: the other settings
	 * are most likely for another application.
	 */
	private void checkSettings(String queue, Set<String> known) {
		Set<String> configured = new TreeSet<>(known);
		configured.retainAll(this.settings.queues().names());
		Set<String> others = new TreeSet<>(known);
		others.removeAll(configured);
		misspelt(queue, others).ifPresent((meant) -> {
			throw unknown(queue, meant, known);
		});
		misspelt(queue, configured).ifPresent((near) -> logger.warn(
				"There are settings for queues '{}'{} and '{}', but nothing on this node names the first one. If its name is misspelt, correct it",
				queue, place(setting(queue)), near));
	}

	private InvalidConfigurationException unknown(String queue, String meant, Set<String> known) {
		Optional<ConfigurationProperty> setting = setting(queue);
		return new InvalidConfigurationException(
				"There are settings for queue '%s' under 'jobqueue.queues.%1$s'%s, but neither a handler, 'jobqueue.worker.queues' nor the @JobType of a handled payload names it. The nearest name is '%s'; all known queues: %s."
					.formatted(queue, place(setting), meant, String.join(", ", known)),
				"%s If another application serves that queue, add settings for '%s', too, under 'jobqueue.queues.%2$s': then both are accepted."
					.formatted(remedy(setting, meant), meant));
	}

	private static String remedy(Optional<ConfigurationProperty> setting, String meant) {
		if (setting.filter(UnknownKeyCheck::isVariable).isEmpty()) {
			return "Correct the name.";
		}
		return withoutPunctuation(meant).equals(meant) ? "Correct the name of the variable."
				: "An environment variable alone cannot name a queue with dashes or underscores. Set 'jobqueue.queues.[%s].<setting>' in another source, such as application.yaml or SPRING_APPLICATION_JSON; a variable whose name begins with 'JOBQUEUE_QUEUES_%s_' then replaces the value."
					.formatted(meant, meant.toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	/**
	 * Return a setting of a queue from its last source: that which others replace.
	 */
	private Optional<ConfigurationProperty> setting(String queue) {
		return UnknownKeyCheck.below(ConfigurationPropertyName.of("jobqueue.queues[" + queue + "]"), this.environment)
			.reduce((first, last) -> last);
	}

	private static String place(Optional<ConfigurationProperty> setting) {
		return setting.map(UnknownKeyCheck::place).orElse("");
	}

	/**
	 * Other nodes may have handlers for other types.
	 */
	private void checkTypes(String queue, QueueSettings settings) {
		Set<String> handled = this.handlers.typesByQueue().getOrDefault(queue, Set.of());
		Set<String> others = new TreeSet<>(handled);
		others.removeIf((type) -> settings.types().containsKey(settings.nameOfOptions(type)));
		Set<String> unknown = new TreeSet<>(settings.types().keySet());
		handled.forEach((type) -> unknown.remove(settings.nameOfOptions(type)));
		unknown.forEach((type) -> misspelt(type, others).ifPresent((meant) -> {
			throw new InvalidConfigurationException(
					"There are settings under 'jobqueue.queues.%s.types.%s', but no handler on this node takes type '%2$s' of that queue. The nearest type is '%s'; all types of the queue: %s."
						.formatted(queue, type, meant, String.join(", ", handled)),
					"Correct the name; write it in brackets if it has characters other than letters, digits and dashes, such as 'types.[my_type]'. If another application handles that type, add settings for '%s', too: then both are accepted."
						.formatted(meant));
		}));
	}

	private static void checkServed(Set<String> served, Set<String> handled) {
		Set<String> unserved = new TreeSet<>(handled);
		unserved.removeAll(served);
		Set<String> unhandled = new TreeSet<>(served);
		unhandled.removeAll(handled);
		unhandled.forEach((queue) -> {
			misspelt(queue, unserved).ifPresent((meant) -> {
				throw new InvalidConfigurationException(
						"The setting 'jobqueue.worker.queues' names '%s', which has no handler on this node, but not '%s', which has one."
							.formatted(queue, meant),
						"Correct the name, or name both.");
			});
			logger.warn(
					"'jobqueue.worker.queues' names '{}', which has no handler on this node: the queue is not served here unless a handler is registered. {}",
					queue, handled.isEmpty() ? "No queue has a handler on this node"
							: "Queues with a handler on this node: " + String.join(", ", new TreeSet<>(handled)));
		});
	}

	/**
	 * Return the nearest name that a name is most likely meant for. An environment
	 * variable may spell it without its punctuation.
	 */
	private static Optional<String> misspelt(String queue, Set<String> names) {
		return EditDistance.nearest(queue,
				names.stream()
					.filter((name) -> EditDistance.isMisspelling(queue, name) || withoutPunctuation(name).equals(queue))
					.toList());
	}

	private static String withoutPunctuation(String name) {
		return name.replace("-", "").replace("_", "");
	}

}

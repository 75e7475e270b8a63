package io.jobqueue.boot.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.boot.settings.SettingNode.FoundSetting;
import io.jobqueue.logging.EditDistance;

/**
 * The keys under {@code jobqueue.} in the property sources of an application. One that is
 * no setting is refused, as most likely it is misspelt. An environment variable leads to
 * a warning instead: a platform defines variables of its own. Sources that cannot be
 * enumerated are not checked.
 */
public final class SettingKeys {

	private static final Logger logger = LoggerFactory.getLogger(SettingKeys.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("jobqueue");

	private static final ConfigurationPropertyName TYPES_OF_ALL_QUEUES = ROOT.append("defaults.types");

	private static final List<ConfigurationPropertyName> WITH_NAMES = List.of(
			ConfigurationPropertyName.of("jobqueue.queues"), ConfigurationPropertyName.of("jobqueue.alerts.types"),
			ConfigurationPropertyName.of("jobqueue.recurring"));

	private static final int NAMED = 10;

	private final SettingNode settings = SettingNode.root();

	/**
	 * Durations by the name that finds their value, each with its key for messages.
	 */
	private final Map<ConfigurationPropertyName, String> durations = new LinkedHashMap<>();

	/**
	 * Keys that are no settings, with their origins.
	 */
	private final Map<ConfigurationPropertyName, String> unknown = new LinkedHashMap<>();

	private final Map<ConfigurationPropertyName, String> unknownVariables = new LinkedHashMap<>();

	/**
	 * Queues with settings in other sources than environment variables.
	 */
	private final Set<String> queues = new LinkedHashSet<>();

	private SettingKeys() {
	}

	/**
	 * Check the keys of an environment.
	 * @param environment the environment
	 * @param beans where other classes with keys under {@code jobqueue.} are found
	 * @throws InvalidConfigurationException if there is no such setting, or a duration
	 * most likely lacks its unit
	 */
	public static void check(ConfigurableEnvironment environment, ListableBeanFactory beans) {
		SettingKeys keys = new SettingKeys();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				keys.read(iterable);
			}
		}
		keys.unknownVariables.keySet().removeIf(keys::isOfNamedQueue);
		keys.removeThoseOf(beans);
		keys.warn();
		keys.refuse();
		keys.durations.forEach(new BareDurations(environment)::check);
	}

	private void read(IterableConfigurationPropertySource source) {
		boolean variables = QueueVariables.areIn(source);
		source.stream().filter(ROOT::isAncestorOf).forEach((key) -> {
			FoundSetting found = this.settings.find(key, variables);
			if (found == null) {
				(variables ? this.unknownVariables : this.unknown).putIfAbsent(withoutIndex(key), place(source, key));
			}
			else if (found.node().isGroup()) {
				refuseValue(found, variables ? null : source.getConfigurationProperty(key));
			}
			else {
				addDuration(variables ? ConfigurationPropertyName.of(found.key()) : key, found);
			}
			if (!variables && QueueVariables.queueOf(key) != null) {
				this.queues.add(QueueVariables.queueOf(key));
			}
		});
	}

	private void addDuration(ConfigurationPropertyName property, FoundSetting found) {
		if (found.node().type() == Duration.class) {
			this.durations.putIfAbsent(property, found.key());
		}
	}

	/**
	 * Binding finds such a variable although its key reads as one of another queue.
	 */
	private boolean isOfNamedQueue(ConfigurationPropertyName variable) {
		for (String queue : this.queues) {
			ConfigurationPropertyName key = QueueVariables.forQueue(variable, queue);
			FoundSetting found = (key != null) ? this.settings.find(key, true) : null;
			if (found != null) {
				addDuration(ConfigurationPropertyName.of(found.key()), found);
				return true;
			}
		}
		return false;
	}

	/**
	 * Binding ignores a value of some groups. YAML has an empty one for a group without
	 * keys.
	 */
	private static void refuseValue(FoundSetting group, @Nullable ConfigurationProperty property) {
		if (property != null && StringUtils.hasText(String.valueOf(property.getValue()))) {
			throw new InvalidConfigurationException(SettingFailureAnalyzer.description(group),
					SettingFailureAnalyzer.action(group));
		}
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName key) {
		return key.isNumericIndex(key.getNumberOfElements() - 1) ? key.getParent() : key;
	}

	private static String place(ConfigurationPropertySource source, ConfigurationPropertyName key) {
		ConfigurationProperty property = source.getConfigurationProperty(key);
		return (property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
	}

	/**
	 * Remove keys of other classes, which define what is a setting there.
	 */
	private void removeThoseOf(ListableBeanFactory beans) {
		if (this.unknown.isEmpty() && this.unknownVariables.isEmpty()) {
			return;
		}
		List<ConfigurationPropertyName> others = Stream
			.of(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
			.map((name) -> beans.findAnnotationOnBean(name, ConfigurationProperties.class))
			.map((annotation) -> ConfigurationPropertyName.ofIfValid((annotation != null) ? annotation.prefix() : ""))
			.filter((prefix) -> prefix != null && ROOT.isAncestorOf(prefix))
			.toList();
		this.unknown.keySet().removeIf((key) -> isOf(others, key));
		this.unknownVariables.keySet().removeIf((key) -> isOf(others, key));
	}

	private static boolean isOf(List<ConfigurationPropertyName> prefixes, ConfigurationPropertyName key) {
		return prefixes.stream().anyMatch((prefix) -> prefix.equals(key) || prefix.isAncestorOf(key));
	}

	private void warn() {
		if (!this.unknownVariables.isEmpty()) {
			String names = this.unknownVariables.keySet()
				.stream()
				.anyMatch((key) -> QueueVariables.queueOf(key) != null)
						? "; a variable can set a queue with dashes or underscores in its name only if another source has a setting of that queue, such as 'jobqueue.queues.my-queue.concurrency' for JOBQUEUE_QUEUES_MY_QUEUE_CONCURRENCY, and spells the names of types without dashes and underscores"
						: "";
			logger.warn("{} If it is meant for the job queue, correct its name{}", describe(this.unknownVariables),
					names);
		}
	}

	private void refuse() {
		if (!this.unknown.isEmpty()) {
			throw new InvalidConfigurationException(describe(this.unknown), "Correct or remove the key." + brackets());
		}
	}

	private String brackets() {
		return this.unknown.keySet().stream().anyMatch((key) -> isOf(WITH_NAMES, key))
				? " Write the name of a queue, type or schedule in brackets if it has characters other than letters, digits and dashes, such as 'jobqueue.queues.[my_queue]'."
				: "";
	}

	private String describe(Map<ConfigurationPropertyName, String> keys) {
		String rest = (keys.size() > NAMED) ? " There are %d more unknown keys.".formatted(keys.size() - NAMED) : "";
		return keys.entrySet()
			.stream()
			.limit(NAMED)
			.map((key) -> "There is no setting '%s'%s. %s".formatted(key.getKey(), key.getValue(),
					remedy(key.getKey())))
			.collect(Collectors.joining(" ", "", rest));
	}

	private String remedy(ConfigurationPropertyName key) {
		return TYPES_OF_ALL_QUEUES.isAncestorOf(key)
				? "Options of types belong to a queue: 'jobqueue.queues.<queue>.types'."
				: "The nearest one is '%s'.".formatted(nearest(key));
	}

	/**
	 * Return the nearest key, of those that end the same if there are any: it may only
	 * stand in the wrong group.
	 */
	private String nearest(ConfigurationPropertyName key) {
		List<String> all = new ArrayList<>();
		this.settings.forEachKey(key, all::add);
		String end = "." + key.getLastElement(ConfigurationPropertyName.Form.DASHED);
		List<String> alike = all.stream().filter((known) -> known.endsWith(end)).toList();
		return EditDistance.nearest(key.toString(), alike.isEmpty() ? all : alike).orElseThrow();
	}

}

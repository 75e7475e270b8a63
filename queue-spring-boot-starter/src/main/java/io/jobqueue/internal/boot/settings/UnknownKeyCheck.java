package io.jobqueue.internal.boot.settings;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.properties.JobQueueProperties;

/**
 * Refuses keys under {@code jobqueue.} that binding has not looked up, as they are most
 * likely misspelt. An environment variable leads to a warning instead: a platform defines
 * variables of its own. Keys of sources that cannot be enumerated are not checked.
 */
public final class UnknownKeyCheck implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final Logger logger = LoggerFactory.getLogger(UnknownKeyCheck.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("jobqueue");

	private static final ConfigurationPropertyName TYPES_OF_ALL_QUEUES = ROOT.append("defaults.types");

	/**
	 * With these modules, other classes have the keys.
	 */
	private static final List<String> MODULES = List.of("dashboard", "kafka");

	private static final Pattern WITH_NAMES = Pattern
		.compile("no setting 'jobqueue\\.(queues|alerts\\.types|recurring)[.\\[]");

	/**
	 * What binding has looked up: all settings of each group that has a key.
	 */
	private final Map<ConfigurationPropertyName, ResolvableType> settings = new ConcurrentHashMap<>();

	@Override
	public BindHandler apply(BindHandler handler) {
		return new LookUps(handler);
	}

	/**
	 * Check the keys of an environment. The settings must have been bound.
	 * @param environment the environment
	 * @param beans where other classes with keys under {@code jobqueue.} are found
	 * @throws InvalidConfigurationException if there is no such setting, or a duration
	 * most likely lacks its unit
	 */
	public void check(ConfigurableEnvironment environment, ListableBeanFactory beans) {
		below(ROOT, environment).forEach(this::refuseValueOfGroup);
		List<ConfigurationProperty> unknown = below(ROOT, environment).filter((key) -> !isSetting(key)).toList();
		if (!unknown.isEmpty()) {
			List<ConfigurationProperty> ours = withoutOthers(unknown, beans);
			warn(describe(ours.stream().filter(UnknownKeyCheck::isVariable)));
			refuse(describe(ours.stream().filter((key) -> !isVariable(key))));
		}
		new BareDurations(environment).check(this.settings);
	}

	/**
	 * Return the properties below a key, those of the first source first.
	 */
	static Stream<ConfigurationProperty> below(ConfigurationPropertyName key, ConfigurableEnvironment environment) {
		return StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast)
			.flatMap((source) -> source.stream().filter(key::isAncestorOf).map(source::getConfigurationProperty))
			.filter(Objects::nonNull);
	}

	static boolean isVariable(ConfigurationProperty property) {
		return property.getSource() != null
				&& property.getSource().getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	static String place(ConfigurationProperty property) {
		return (property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
	}

	/**
	 * Binding ignores a value of some groups. YAML has an empty one for a group without
	 * keys.
	 */
	private void refuseValueOfGroup(ConfigurationProperty property) {
		ConfigurationPropertyName key = property.getName();
		if (SettingNames.isGroup(type(key)) && !SettingNames.isFree(type(key.getParent())) && !isVariable(property)
				&& StringUtils.hasText(String.valueOf(property.getValue()))) {
			throw new InvalidConfigurationException(SettingFailureAnalyzer.description(key),
					SettingFailureAnalyzer.action(key));
		}
	}

	private ResolvableType type(ConfigurationPropertyName key) {
		return this.settings.getOrDefault(key, ResolvableType.NONE);
	}

	/**
	 * Binding also finds a variable that has underscores for dashes, such as those of a
	 * queue that another source names.
	 */
	private boolean isSetting(ConfigurationProperty property) {
		ConfigurationPropertyName key = property.getName();
		return !TYPES_OF_ALL_QUEUES.isAncestorOf(key) && (isLookedUp(key) || (isVariable(property)
				&& this.settings.keySet().stream().map(UnknownKeyCheck::letters).anyMatch(letters(key)::equals)));
	}

	/**
	 * Binding does not look up elements of lists and payloads that another source
	 * replaces.
	 */
	private boolean isLookedUp(ConfigurationPropertyName key) {
		ConfigurationPropertyName nearest = key;
		while (!nearest.isEmpty() && !this.settings.containsKey(nearest)) {
			nearest = nearest.getParent();
		}
		ResolvableType type = type(nearest);
		return nearest.equals(key) || SettingNames.isFree(type)
				|| (Collection.class.isAssignableFrom(type.toClass()) && key.isLastElementIndexed());
	}

	private static String letters(ConfigurationPropertyName key) {
		return key.toString().toLowerCase(Locale.ROOT).replaceAll("[-._\\[\\]]", "");
	}

	/**
	 * Remove keys of other classes, which define what is a setting there.
	 */
	private static List<ConfigurationProperty> withoutOthers(List<ConfigurationProperty> unknown,
			ListableBeanFactory beans) {
		List<ConfigurationPropertyName> others = Arrays
			.stream(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
			.map((name) -> beans.findAnnotationOnBean(name, ConfigurationProperties.class))
			.map((annotation) -> ConfigurationPropertyName.ofIfValid((annotation != null) ? annotation.prefix() : ""))
			.filter((prefix) -> prefix != null && ROOT.isAncestorOf(prefix))
			.toList();
		return unknown.stream()
			.filter((property) -> others.stream()
				.noneMatch((prefix) -> prefix.equals(property.getName()) || prefix.isAncestorOf(property.getName())))
			.toList();
	}

	private static String describe(Stream<ConfigurationProperty> unknown) {
		Map<ConfigurationPropertyName, String> descriptions = new LinkedHashMap<>();
		unknown.forEach((property) -> {
			ConfigurationPropertyName key = withoutIndex(property.getName());
			descriptions.putIfAbsent(key,
					"There is no setting '%s'%s. %s".formatted(key, place(property), remedy(key)));
		});
		return String.join(" ", descriptions.values());
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName key) {
		return key.isNumericIndex(key.getNumberOfElements() - 1) ? key.getParent() : key;
	}

	private static String remedy(ConfigurationPropertyName key) {
		for (String module : MODULES) {
			ConfigurationPropertyName group = ROOT.append(module);
			if (group.equals(key) || group.isAncestorOf(key)) {
				return "It belongs to the module queue-%s, which is not on the class path.".formatted(module);
			}
		}
		return TYPES_OF_ALL_QUEUES.isAncestorOf(key)
				? "Options of types belong to a queue: 'jobqueue.queues.<queue>.types'."
				: "The nearest one is '%s'.".formatted(SettingNames.nearest(key));
	}

	private static void warn(String unknown) {
		if (!unknown.isEmpty()) {
			logger.warn("{} If it is meant for the job queue, correct its name{}", unknown, WITH_NAMES.matcher(unknown)
				.find() ? "; a variable can set a queue with dashes or underscores in its name only if another source has a setting of that queue, such as 'jobqueue.queues.my-queue.concurrency' for JOBQUEUE_QUEUES_MY_QUEUE_CONCURRENCY, and spells the names of types without dashes and underscores"
						: "");
		}
	}

	private static void refuse(String unknown) {
		if (!unknown.isEmpty()) {
			throw new InvalidConfigurationException(unknown, "Correct or remove the key." + (WITH_NAMES.matcher(unknown)
				.find() ? " Write the name of a queue, type or schedule in brackets if it has characters other than letters, digits and dashes, such as 'jobqueue.queues.[my_queue]'."
						: ""));
		}
	}

	/**
	 * Records what binding looks up for {@link JobQueueProperties}. Other classes with
	 * keys below {@code jobqueue} have rules of their own.
	 */
	private final class LookUps extends AbstractBindHandler {

		private boolean ofJobQueueProperties;

		LookUps(BindHandler parent) {
			super(parent);
		}

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			if (context.getDepth() == 0) {
				this.ofJobQueueProperties = target.getType().toClass() == JobQueueProperties.class;
			}
			if (this.ofJobQueueProperties) {
				UnknownKeyCheck.this.settings.put(name, target.getType());
			}
			return super.onStart(name, target, context);
		}

	}

}

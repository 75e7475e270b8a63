package io.jobqueue.internal.boot.settings;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConverterNotFoundException;

import io.jobqueue.internal.logging.EditDistance;

/**
 * {@link AbstractFailureAnalyzer} for a value that is given to a group of settings, and
 * for one that is no time zone or none of a setting's constants. Spring Boot's own one,
 * which comes later, knows no remedy for the first and shows classes for the second.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class SettingFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("jobqueue");

	private static final int NAMED = 5;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!ROOT.isAncestorOf(cause.getName())) {
			return null;
		}
		if (cause.getCause() instanceof ConversionFailedException failed) {
			return (failed.getTargetType().getType() == ZoneId.class) ? zone(cause, failed) : constants(cause, failed);
		}
		return (cause.getCause() instanceof ConverterNotFoundException) ? group(cause) : null;
	}

	private static FailureAnalysis zone(BindException cause, ConversionFailedException failed) {
		return new FailureAnalysis(
				"The setting '%s' is '%s', which is not a time zone.".formatted(cause.getName(), failed.getValue()),
				"Use the name of a zone, such as Europe/Berlin or UTC.", cause);
	}

	private static @Nullable FailureAnalysis constants(BindException cause, ConversionFailedException failed) {
		Object[] constants = failed.getTargetType().getType().getEnumConstants();
		return (constants != null) ? new FailureAnalysis(
				"The setting '%s' is '%s', which is none of its values.".formatted(cause.getName(), failed.getValue()),
				"Set one of: %s.".formatted(Stream.of(constants)
					.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
					.collect(Collectors.joining(", "))),
				cause) : null;
	}

	private static @Nullable FailureAnalysis group(BindException cause) {
		return SettingNames.isGroup(cause.getTarget().getType())
				? new FailureAnalysis(description(cause.getName()), action(cause.getName()), cause) : null;
	}

	static String description(ConfigurationPropertyName group) {
		return "'%s' has a value, but it is a group of settings.".formatted(group);
	}

	static String action(ConfigurationPropertyName group) {
		List<String> all = SettingNames.like(group.append("any"));
		String examples = all.stream()
			.filter((key) -> key.startsWith(group + "."))
			.limit(NAMED)
			.map((key) -> "'" + key + "'")
			.collect(Collectors.joining(", "));
		return examples.isEmpty() ? "Set keys below it instead, such as '%s.name'.".formatted(group)
				: "Set the settings of the group instead, such as %s.%s".formatted(examples,
						EditDistance.meant(group.toString(), all).map(" Did you mean '%s'?"::formatted).orElse(""));
	}

}

package io.jobqueue.internal.boot.settings;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.jobqueue.internal.boot.properties.JobQueueProperties;

/**
 * Settings as an application's properties bind them.
 */
public final class BoundSettings {

	private BoundSettings() {
	}

	public static JobQueueProperties properties(String... properties) {
		Map<String, String> source = Arrays.stream(properties)
			.collect(Collectors.toMap((property) -> property.substring(0, property.indexOf('=')),
					(property) -> property.substring(property.indexOf('=') + 1), (one, same) -> same));
		return new Binder(new MapConfigurationPropertySource(source)).bindOrCreate("jobqueue",
				JobQueueProperties.class);
	}

	public static NodeSettings node(String... properties) {
		return NodeSettings.of(properties(properties), null, false);
	}

	/**
	 * Return what Spring Boot would report of a failure.
	 */
	public static FailureAnalysis analyze(Throwable failure) {
		FailureAnalysis analysis = Stream.of(new InvalidConfigurationFailureAnalyzer(), new SettingFailureAnalyzer())
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		return Objects.requireNonNull(analysis, "There is no analysis of this failure");
	}

}

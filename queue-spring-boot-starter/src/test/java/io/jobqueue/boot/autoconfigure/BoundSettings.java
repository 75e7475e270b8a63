package io.jobqueue.boot.autoconfigure;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * Settings as an application's properties bind them.
 */
final class BoundSettings {

	private BoundSettings() {
	}

	static JobQueueProperties properties(String... properties) {
		Map<String, String> source = Arrays.stream(properties)
			.collect(Collectors.toMap((property) -> property.substring(0, property.indexOf('=')),
					(property) -> property.substring(property.indexOf('=') + 1), (one, same) -> same));
		return new Binder(new MapConfigurationPropertySource(source)).bindOrCreate("jobqueue",
				JobQueueProperties.class);
	}

	static NodeSettings node(String... properties) {
		return NodeSettings.of(properties(properties), false);
	}

}

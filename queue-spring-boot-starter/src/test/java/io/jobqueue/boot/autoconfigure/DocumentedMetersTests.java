package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;

import io.jobqueue.JobQueue;
import io.jobqueue.docs.Documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The documentation lists the meters that there are, with their kinds, units and tags.
 */
class DocumentedMetersTests extends QueueTestBase {

	private static final Pattern ROW = Pattern
		.compile("^\\| `(jobqueue[.\\w]+)` \\| (\\w+)(?:, (\\w+))? \\| ([^|]+) \\|", Pattern.MULTILINE);

	@Test
	void everyMeterIsListed() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withBean(Greetings.class)
			.run((context) -> {
				context.getBean(JobQueue.class).enqueue(new Greeting("world"));
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				await().until(() -> registry.find("jobqueue.job.run").timer() != null);
				assertThat(published(registry)).isEqualTo(documented());
			});
	}

	private static Map<String, String> published(MeterRegistry registry) {
		return registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("jobqueue."))
			.collect(Collectors.toMap(Meter.Id::getName, DocumentedMetersTests::describe, (one, same) -> same,
					TreeMap::new));
	}

	private static String describe(Meter.Id id) {
		Set<String> tags = id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
		return "%s of %s by %s".formatted(id.getType().name().toLowerCase(Locale.ROOT), id.getBaseUnit(), tags);
	}

	private static Map<String, String> documented() throws IOException {
		return ROW.matcher(Files.readString(Documentation.page("metrics.md")))
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), DocumentedMetersTests::describe, (one, same) -> same,
					TreeMap::new));
	}

	private static String describe(MatchResult row) {
		Set<String> tags = Pattern.compile("`(\\w+)`")
			.matcher(row.group(4))
			.results()
			.map((tag) -> tag.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		return "%s of %s by %s".formatted(row.group(2), row.group(3), tags);
	}

}

package io.jobqueue.internal.boot.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import io.jobqueue.docs.Documentation;
import io.jobqueue.docs.Documentation.Block;
import io.jobqueue.internal.boot.properties.JobQueueProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The settings that the documentation shows exist. Those of the dashboard and of topics
 * that are consumed are compared in their modules.
 */
class DocumentedSettingsTests {

	static List<Block> yaml() throws IOException {
		return Documentation.blocks("yaml")
			.stream()
			.filter((block) -> block.text().contains("jobqueue:") && !block.page().equals("dashboard.md")
					&& !block.text().contains("consume:"))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("yaml")
	void yamlBindsWithoutARest(Block block) throws IOException {
		MutablePropertySources sources = new MutablePropertySources();
		for (PropertySource<?> source : new YamlPropertySourceLoader().load(block.page(),
				new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)))) {
			sources.addLast(source);
		}
		Binder binder = new Binder(ConfigurationPropertySources.from(sources));
		assertThat(binder
			.bind("jobqueue", Bindable.of(JobQueueProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
			.isBound()).isTrue();
	}

	@Test
	void everySettingIsListedWithItsDefaultAndDescription() throws IOException {
		String page = Files.readString(Documentation.page("settings.md"));
		assertThat(ConfigurationMetadataTests.properties())
			.allSatisfy((property) -> assertThat(page).contains(row((Map<?, ?>) property)));
	}

	private static String row(Map<?, ?> property) {
		Object value = property.get("defaultValue");
		return "| `%s` | %s | %s |".formatted(property.get("name"), (value != null) ? "`" + value + "`" : "",
				property.get("description"));
	}

}

package io.jobqueue.internal.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documentation has the settings of the dashboard.
 */
class DocumentedSettingsTests {

	private static final Path DOCS = Path.of("..", "docs");

	private static final Pattern YAML = Pattern.compile("^```yaml\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);

	@Test
	void everySettingIsListedWithItsDefaultAndDescription() throws IOException {
		String page = Files.readString(DOCS.resolve("settings.md"));
		assertThat(settings()).hasSize(6).allSatisfy((setting) -> assertThat(page).contains(row(setting)));
	}

	@Test
	void yamlBindsWithoutARest() throws IOException {
		List<String> blocks = YAML.matcher(Files.readString(DOCS.resolve("dashboard.md")))
			.results()
			.map((MatchResult block) -> block.group(1))
			.toList();
		assertThat(blocks).hasSize(2).allSatisfy((block) -> bind(block).check());
	}

	private static DashboardProperties bind(String yaml) throws IOException {
		Binder binder = new Binder(ConfigurationPropertySources.from(new YamlPropertySourceLoader().load("docs",
				new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))));
		return binder
			.bind("jobqueue.dashboard", Bindable.of(DashboardProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
			.get();
	}

	/**
	 * The starter has a resource of the same name.
	 */
	private static List<Map<?, ?>> settings() throws IOException {
		Path metadata = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
		List<?> properties = (List<?>) JsonParserFactory.getJsonParser()
			.parseMap(Files.readString(metadata))
			.get("properties");
		return properties.stream().<Map<?, ?>>map((property) -> (Map<?, ?>) property).toList();
	}

	private static String row(Map<?, ?> setting) {
		Object value = setting.get("defaultValue");
		return "| `%s` | %s | %s |".formatted(setting.get("name"), (value != null) ? "`" + value + "`" : "",
				setting.get("description"));
	}

}

package io.jobqueue.internal.boot.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/**
 * What editors show of the settings. A change of a setting changes the list beside this
 * class, too: {@code configuration-metadata.txt}.
 */
class ConfigurationMetadataTests {

	@Test
	void everyPropertyHasDescription() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property).asInstanceOf(MAP)
				.hasEntrySatisfying("name", (name) -> assertThat(name.toString()).contains("jobqueue"))
				.hasEntrySatisfying("description", (text) -> assertThat(text.toString()).isNotBlank()));
	}

	@Test
	void metadataIsAsListed() throws IOException {
		List<String> listed = new ClassPathResource("configuration-metadata.txt", getClass())
			.getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.toList();
		Stream<String> generated = Stream
			.of(list("groups").map(ConfigurationMetadataTests::group),
					list("properties").map(ConfigurationMetadataTests::property),
					list("hints").map((hint) -> "hint " + hint))
			.flatMap((lines) -> lines);
		assertThat(generated).containsExactlyElementsOf(listed);
	}

	private static String group(Map<?, ?> group) {
		return "group " + group.get("name");
	}

	private static String property(Map<?, ?> property) {
		return "%s | %s | %s | %s".formatted(property.get("name"), type(property), property.get("defaultValue"),
				property.get("description"));
	}

	/**
	 * The names of the starter's own types are not part of what is promised.
	 */
	private static String type(Map<?, ?> property) {
		return property.get("type").toString().replaceAll("io\\.jobqueue\\.internal\\.[\\w.$]+", "(internal)");
	}

	private static Stream<Map<?, ?>> list(String section) throws IOException {
		return ((List<?>) metadata().get(section)).stream().map((entry) -> (Map<?, ?>) entry);
	}

	static List<?> properties() throws IOException {
		return (List<?>) metadata().get("properties");
	}

	private static Map<String, Object> metadata() throws IOException {
		String metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getContentAsString(StandardCharsets.UTF_8);
		return JsonParserFactory.getJsonParser().parseMap(metadata);
	}

}

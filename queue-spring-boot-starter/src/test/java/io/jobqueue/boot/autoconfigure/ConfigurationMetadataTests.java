package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

class ConfigurationMetadataTests {

	@Test
	void everyPropertyHasDescription() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property).asInstanceOf(MAP)
				.hasEntrySatisfying("name", (name) -> assertThat(name.toString()).contains("jobqueue"))
				.hasEntrySatisfying("description", (text) -> assertThat(text.toString()).isNotBlank()));
	}

	static List<?> properties() throws IOException {
		String metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
			.getContentAsString(StandardCharsets.UTF_8);
		return (List<?>) JsonParserFactory.getJsonParser().parseMap(metadata).get("properties");
	}

}

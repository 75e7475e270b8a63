package io.jobqueue.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import io.jobqueue.boot.autoconfigure.QueueProperties;
import io.jobqueue.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documentation shows is what compiles, runs and binds here.
 */
class DocumentationTests {

	private static final Path SOURCES = Path.of("src", "test", "java", "io", "jobqueue", "docs");

	static List<Block> java() throws IOException {
		return Documentation.blocks("java");
	}

	static List<Block> yaml() throws IOException {
		return Documentation.blocks("yaml");
	}

	@ParameterizedTest
	@MethodSource("java")
	void javaIsTakenFromCodeThatRuns(Block block) throws IOException {
		try (Stream<Path> sources = Files.list(SOURCES)) {
			String wanted = normalised(block.text());
			assertThat(sources.anyMatch((source) -> normalised(read(source)).contains(wanted))).as(block.text()).isTrue();
		}
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
		assertThat(
				binder.bind("jobqueue", Bindable.of(QueueProperties.class), new NoUnboundElementsBindHandler()).isBound())
			.isTrue();
	}

	private static String read(Path source) {
		try {
			return Files.readString(source);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String normalised(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}

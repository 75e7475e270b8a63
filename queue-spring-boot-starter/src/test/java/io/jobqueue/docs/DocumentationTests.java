package io.jobqueue.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documentation shows is what compiles and runs here.
 */
class DocumentationTests {

	private static final Path SOURCES = Path.of("src", "test", "java", "io", "jobqueue", "docs");

	/**
	 * The examples of tests.
	 */
	private static final Path TESTS = Path.of("..", "queue-spring-boot-starter-test").resolve(SOURCES);

	static List<Block> java() throws IOException {
		return Documentation.blocks("java");
	}

	@ParameterizedTest
	@MethodSource("java")
	void javaIsTakenFromCodeThatRuns(Block block) throws IOException {
		String wanted = normalised(block.text());
		try (Stream<Path> sources = Files.list(SOURCES); Stream<Path> tests = Files.list(TESTS)) {
			assertThat(Stream.concat(sources, tests).anyMatch((source) -> normalised(read(source)).contains(wanted)))
				.as(block.text())
				.isTrue();
		}
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

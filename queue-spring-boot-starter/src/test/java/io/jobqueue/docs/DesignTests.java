package io.jobqueue.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files that the design names are where it says.
 */
class DesignTests {

	private static final Path DESIGN = Path.of("..", "docs", "design.md");

	private static final Path CORE = Path.of("..", "queue-core", "src", "main", "java", "io", "jobqueue", "internal");

	private static final Path DASHBOARD = Path.of("..", "queue-dashboard", "src", "main", "java", "io", "jobqueue",
			"internal");

	private static final Path KAFKA = Path.of("..", "queue-kafka", "src", "main", "java", "io", "jobqueue", "internal");

	private static final Path STARTER = Path.of("src", "main", "java", "io", "jobqueue");

	private static final Pattern FILE = Pattern.compile("`([a-z]+(?:/[a-z]+)*/[A-Z]\\w+)`");

	@Test
	void filesExist() throws IOException {
		List<String> named = FILE.matcher(Files.readString(DESIGN))
			.results()
			.map((MatchResult found) -> found.group(1))
			.toList();
		assertThat(named).hasSizeGreaterThan(40).allSatisfy((file) -> assertThat(source(file)).exists());
	}

	private static Path source(String file) {
		return root(file).resolve(file + ".java");
	}

	private static Path root(String file) {
		if (file.startsWith("dashboard/")) {
			return DASHBOARD;
		}
		if (file.startsWith("kafka/")) {
			return KAFKA;
		}
		return file.startsWith("boot/autoconfigure/") ? STARTER
				: file.startsWith("boot/") ? STARTER.resolve("internal") : CORE;
	}

}

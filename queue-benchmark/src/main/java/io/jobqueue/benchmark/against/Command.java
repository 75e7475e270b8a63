package io.jobqueue.benchmark.against;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command that has ended.
 *
 * @param line the command with its arguments
 * @param exit its exit value
 * @param output what it printed
 */
record Command(List<String> line, int exit, String output) {

	static Command run(Path folder, String... line) throws IOException {
		Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true).start();
		try (BufferedReader reader = process.inputReader()) {
			String output = reader.lines().collect(Collectors.joining(System.lineSeparator()));
			return new Command(List.of(line), process.onExit().join().exitValue(), output);
		}
	}

	boolean succeeded() {
		return this.exit == 0;
	}

	String orThrow() {
		if (!succeeded()) {
			throw new IllegalStateException("'%s' failed: %s".formatted(String.join(" ", this.line), this.output));
		}
		return this.output;
	}

}

package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes the data folders of servers.
 */
final class Folders {

	private Folders() {
	}

	/**
	 * Delete a folder with its contents.
	 */
	static void delete(Path folder) throws IOException {
		for (Path file : deepestFirst(folder)) {
			Files.delete(file);
		}
	}

	private static List<Path> deepestFirst(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.sorted(Comparator.reverseOrder()).toList();
		}
	}

}

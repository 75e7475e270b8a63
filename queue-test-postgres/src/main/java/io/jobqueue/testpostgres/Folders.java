package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Creates and deletes the data folders of servers. They are in memory, where the system
 * has a file system for that with enough space: a database is created and dropped there
 * with a third of the processor time. The environment variable {@value #PARENT}
 * configures another folder.
 */
final class Folders {

	static final String PARENT = "QUEUE_TEST_DATA";

	private static final Path MEMORY = Path.of("/dev/shm");

	private static final long NEEDED_BYTES = 8L << 30;

	private Folders() {
	}

	/**
	 * Create an empty folder with a unique name.
	 */
	static Path create(String prefix) throws IOException {
		return Files.createTempDirectory(parent(System.getenv(), MEMORY), prefix);
	}

	static Path parent(Map<String, String> environment, Path memory) throws IOException {
		String configured = environment.getOrDefault(PARENT, "");
		if (!configured.isBlank()) {
			return Path.of(configured);
		}
		return isLarge(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
	}

	private static boolean isLarge(Path folder) throws IOException {
		return Files.isWritable(folder) && Files.getFileStore(folder).getUsableSpace() >= NEEDED_BYTES;
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

package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class FoldersTests {

	private static final Path DISK = Path.of(System.getProperty("java.io.tmpdir"));

	@Test
	void aConfiguredFolderHasTheData(@TempDir Path memory) throws IOException {
		assertThat(Folders.parent(Map.of(Folders.PARENT, "elsewhere"), memory)).isEqualTo(Path.of("elsewhere"));
	}

	@Test
	void aSystemWithoutFilesInMemoryHasTheDataOnDisk() throws IOException {
		assertThat(Folders.parent(Map.of(), Path.of("absent"))).isEqualTo(DISK);
	}

}

package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("slow") // starts servers
class EmbeddedServerTests {

	@Test
	void serverThatAnswersInPlaceOfTheStartedOneIsRefused(@TempDir Path data, @TempDir Path other) throws IOException {
		try (EmbeddedPostgres server = EmbeddedServer.start(data, false, Map.of())) {
			assertThatIllegalStateException()
				.isThrownBy(() -> EmbeddedServer.restart(other, Map.of(), server.getPort()))
				.withMessage("Another server has the port %d of the server on %s", server.getPort(), other);
		}
	}

	@Test
	void serverWhosePortIsTakenStartsOnAnother(@TempDir Path data, @TempDir Path other) throws IOException {
		try (EmbeddedPostgres taken = EmbeddedServer.start(data, false, Map.of())) {
			Iterator<Integer> ports = List.of(taken.getPort(), FreePort.find()).iterator();
			try (EmbeddedPostgres server = EmbeddedServer.start(other,
					() -> EmbeddedPostgres.builder().setDataDirectory(other).setPort(ports.next()), 2)) {
				assertThat(server.getPort()).isNotEqualTo(taken.getPort());
			}
		}
	}

}

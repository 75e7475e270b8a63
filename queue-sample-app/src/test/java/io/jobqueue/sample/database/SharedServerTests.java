package io.jobqueue.sample.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SharedServer}, on one data folder that each leaves without a server.
 */
@Tag("slow") // kills JVMs
class SharedServerTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@TempDir
	private static Path folder;

	@AfterEach
	void stopServer() {
		await().atMost(PATIENCE).until(() -> {
			SharedServer.join(folder).close();
			return Postmaster.of(cluster()).isEmpty();
		});
	}

	@Test
	void losesNothingInACrashOfTheMachine() throws Exception {
		try (SharedServer server = SharedServer.join(folder)) {
			assertThat(List.of("fsync", "synchronous_commit", "full_page_writes"))
				.allSatisfy((setting) -> assertThat(show(server, setting)).isEqualTo("on"));
		}
	}

	@Test
	void listensOnTheLoopbackInterfaceOnly() throws Exception {
		try (SharedServer server = SharedServer.join(folder)) {
			assertThat(show(server, "listen_addresses")).isEqualTo("localhost");
		}
	}

	@Test
	void keepsTheDataWhileNoJvmIsThere() throws Exception {
		try (SharedServer server = SharedServer.join(folder)) {
			jdbc(server).sql("CREATE TABLE kept (id int)").update();
		}
		assertThat(Postmaster.of(cluster())).isEmpty();
		try (SharedServer server = SharedServer.join(folder)) {
			assertThat(jdbc(server).sql("SELECT count(*) FROM kept").query(Integer.class).single()).isZero();
		}
	}

	@Test
	void goesOnWhenTheOneThatStartedItLeaves() throws Exception {
		try (ChildJvm first = join()) {
			String url = joinedUrl(first);
			try (SharedServer second = SharedServer.join(folder)) {
				assertThat(second.jdbcUrl()).isEqualTo(url);
				first.terminate();
				first.awaitExit(PATIENCE);
				assertThat(show(second, "fsync")).isEqualTo("on");
			}
			await().atMost(PATIENCE).until(() -> Postmaster.of(cluster()).isEmpty());
		}
	}

	@Test
	void goesOnWhenTheOneThatStartedItIsKilled() throws Exception {
		try (ChildJvm first = join()) {
			String url = joinedUrl(first);
			first.kill();
			try (SharedServer second = SharedServer.join(folder)) {
				assertThat(second.jdbcUrl()).isEqualTo(url);
			}
		}
	}

	@Test
	void isOneForAllThatStartAtTheSameTime() {
		try (ChildJvm first = join(); ChildJvm second = join(); ChildJvm third = join()) {
			String url = joinedUrl(first);
			assertThat(joinedUrl(second)).isEqualTo(url);
			assertThat(joinedUrl(third)).isEqualTo(url);
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "%d", "%d\n/elsewhere\n1795160091\n5432\n/tmp\nlocalhost\n  2170880        54\nready   \n",
					"2147483647\n/elsewhere\n1795160091\n5432\n/tmp\nlocalhost\n  2170880        54\nready   \n" })
	void startsBesideWhatACrashOfTheMachineLeft(String pidFile) throws Exception {
		SharedServer.join(folder).close();
		Files.writeString(cluster().resolve("postmaster.pid"), pidFile.formatted(ProcessHandle.current().pid()));
		try (SharedServer server = SharedServer.join(folder)) {
			assertThat(show(server, "fsync")).isEqualTo("on");
		}
	}

	@Test
	void startsAgainAfterAKilledStart(@TempDir Path halfMade) throws Exception {
		Files.createDirectories(halfMade.resolve("postgresql/base"));
		Files.writeString(halfMade.resolve("postgresql/postgresql.conf"), "fsy");
		try (SharedServer server = SharedServer.join(halfMade)) {
			assertThat(show(server, "fsync")).isEqualTo("on");
		}
	}

	private static Path cluster() {
		return folder.resolve("postgresql");
	}

	private static ChildJvm join() {
		return ChildJvm.start(JoiningJvm.class, Map.of(), folder.toString());
	}

	private static String joinedUrl(ChildJvm jvm) {
		return jvm.awaitLine("URL: ", PATIENCE).replace("URL: ", "");
	}

	private static String show(SharedServer server, String setting) {
		return jdbc(server).sql("SHOW " + setting).query(String.class).single();
	}

	private static JdbcClient jdbc(SharedServer server) {
		return JdbcClient.create(new DriverManagerDataSource(server.jdbcUrl(), Postmaster.USER, ""));
	}

}

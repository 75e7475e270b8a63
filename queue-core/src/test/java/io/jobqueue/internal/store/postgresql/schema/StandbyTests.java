package io.jobqueue.internal.store.postgresql.schema;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.testpostgres.ReplicatedServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A standby takes no writes.
 */
@Tag("slow") // starts two servers
@Tag("oldest") // error of a standby
class StandbyTests {

	@Test
	void isRefusedAtStart() {
		try (ReplicatedServer server = new ReplicatedServer()) {
			assertRefused(server, true);
			assertRefused(server, false);
		}
	}

	private static void assertRefused(ReplicatedServer server, boolean migrate) {
		SchemaMigration migration = new SchemaMigration(server.standbyDataSource(), null, migrate);
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(migration::afterPropertiesSet)
			.satisfies((refusal) -> {
				assertThat(refusal.description()).isEqualTo(
						"The job queue cannot write to its database: the server is a standby, or still recovers.");
				assertThat(refusal.action()).startsWith("Connect to the primary server;");
			});
	}

}

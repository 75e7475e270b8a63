package io.jobqueue.internal.worker;

import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a worker knows of pauses, where signals arrive but for those that are lost.
 */
class PausesTests extends NodeTestBase {

	private static final UUID ID = UUID.randomUUID();

	private final PostgresStores stores = PostgresStores.of(this.pool, null, null);

	private Pauses pauses;

	@BeforeEach
	void reset() {
		this.pauses = new Pauses(this.stores.workers(), () -> true);
	}

	@AfterAll
	void close() {
		this.stores.close();
	}

	@Test
	void signalThatIsLostAfterAnotherWasReceivedCostsAHeartbeat() {
		assertThat(this.pauses.current(true)).isEmpty();
		assertThat(heartbeatFindsAChange()).isFalse();
		pause("emails", "");
		this.pauses.invalidate();
		assertThat(this.pauses.current(true)).containsExactly(new PauseTarget("emails", null));
		this.sql.sql("DELETE FROM jobqueue_pause").update();
		assertThat(heartbeatFindsAChange()).isTrue();
	}

	@Test
	void readThatFailsIsRepeated() {
		pause("emails", "");
		this.sql.sql("ALTER TABLE jobqueue_pause RENAME TO unreadable").update();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> this.pauses.current(true));
		this.sql.sql("ALTER TABLE unreadable RENAME TO jobqueue_pause").update();
		assertThat(this.pauses.current(true)).containsExactly(new PauseTarget("emails", null));
	}

	/**
	 * A worker that has received the signal need not read the pauses again.
	 */
	@Test
	void heartbeatFindsNoChangeInKnownPauses() {
		pause("emails", "");
		pause("emails", "mail");
		pause("faxes", "fax");
		assertThat(heartbeatFindsAChange()).isTrue();
		assertThat(this.pauses.current(true)).hasSize(3);
		assertThat(heartbeatFindsAChange()).isFalse();
	}

	private boolean heartbeatFindsAChange() {
		Worker worker = new WorkerBuilder(ID).build();
		return this.pauses.differFrom(this.stores.workers().checkIn(worker, false).pauses());
	}

	private void pause(String queue, String type) {
		this.sql.sql("INSERT INTO jobqueue_pause (queue, type, paused_at) VALUES (?, ?, now())")
			.params(queue, type)
			.update();
	}

}

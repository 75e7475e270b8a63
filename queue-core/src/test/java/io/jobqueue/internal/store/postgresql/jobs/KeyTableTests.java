package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each cell of the table of keys: alone, and with two transactions that use the key at a
 * time.
 */
class KeyTableTests extends KeyTestBase {

	static Stream<Arguments> cells() {
		return Stream.of(Situation.values())
			.flatMap((situation) -> Stream.of(OnDuplicate.values()).map((mode) -> Arguments.of(situation, mode)));
	}

	@ParameterizedTest
	@MethodSource("cells")
	void decides(Situation situation, OnDuplicate mode) {
		situation.arrange(this);
		long before = count("jobqueue_job");
		JobReceipt receipt = again(mode);
		assertThat(receipt.outcome()).isEqualTo(situation.outcome(mode));
		assertThat(count("jobqueue_job")).isEqualTo(before + (situation.addsJob(mode) ? 1 : 0));
		assertThat(withPayload(NEW)).isEqualTo(receipt.accepted() ? 1 : 0);
		if (receipt.accepted()) {
			assertThat(column("payload", receipt.id(), String.class)).isEqualTo(NEW);
			assertThat(waitsForMinutes(receipt.id())).isEqualTo((mode == OnDuplicate.DEBOUNCE) ? 60 : 0);
		}
	}

	@ParameterizedTest
	@MethodSource("cells")
	void secondOfTwoSeesWhatTheFirstLeft(Situation situation, OnDuplicate mode) {
		situation.arrange(this);
		CompletableFuture<JobReceipt> second = inTransaction(() -> {
			assertThat(again(mode).outcome()).isEqualTo(situation.outcome(mode));
			return waiting(mode);
		});
		assertThat(second.join().outcome()).isEqualTo(situation.after(mode).outcome(mode));
	}

	@ParameterizedTest
	@MethodSource("cells")
	void secondOfTwoSeesNothingOfOneThatRollsBack(Situation situation, OnDuplicate mode) {
		situation.arrange(this);
		CompletableFuture<JobReceipt> second = this.transaction.execute((status) -> {
			again(mode);
			status.setRollbackOnly();
			return waiting(mode);
		});
		assertThat(second.join().outcome()).isEqualTo(situation.outcome(mode));
		assertThat(withPayload(NEW)).isEqualTo(second.join().accepted() ? 1 : 0);
	}

	private int withPayload(String payload) {
		return this.sql.sql("SELECT count(*) FROM jobqueue_job WHERE payload = ?")
			.param(payload)
			.query(Integer.class)
			.single();
	}

	private long waitsForMinutes(UUID job) {
		OffsetDateTime now = this.sql.sql("SELECT now()").query(OffsetDateTime.class).single();
		Duration wait = Duration.between(now, column("run_at", job, OffsetDateTime.class));
		return Math.round(wait.toSeconds() / 60.0);
	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.OperationStore.ChangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Archived jobs come back, or have copies, with all that was asked for them, unless
 * another job has their key by now.
 */
class ReviveTests extends KeyTestBase {

	private final OperationStore operations = this.stores.operations();

	@ParameterizedTest
	@CsvSource({ ",", "customer,", ",customer", "customer,customer" })
	void retriedJobHasAllItsColumns(@Nullable String ordering, @Nullable String limit) {
		UUID job = addWithEverything(ordering, limit);
		String before = row(job);
		cancel(job);
		assertThat(this.operations.revive(List.of(job)).jobs()).containsExactly(job);
		assertThat(row(job)).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ ",", "customer,", ",customer", "customer,customer" })
	void replayedJobHasTheColumnsOfItsAncestor(@Nullable String ordering, @Nullable String limit) {
		UUID job = addWithEverything(ordering, limit);
		String before = rowWithoutItsIdentity(job);
		cancel(job);
		UUID copy = UUID.randomUUID();
		assertThat(this.operations.replay(Map.of(job, copy)).jobs()).containsExactly(copy);
		assertThat(rowWithoutItsIdentity(copy)).isEqualTo(before);
		assertThat(column("ancestor_id", copy, UUID.class)).isEqualTo(job);
	}

	private UUID addWithEverything(@Nullable String ordering, @Nullable String limit) {
		UUID job = add(new NewJobBuilder().payload(OLD)
			.priority(7)
			.maxAttempts(3)
			.maxRunTime(Duration.ofMinutes(9))
			.headers("{\"tenant\":\"acme\"}")
			.key("signup-42", OnDuplicate.KEEP, LONG)
			.orderedBy(ordering)
			.limitedBy(limit)
			.group("import")
			.build()).id();
		this.sql.sql("UPDATE jobqueue_job SET last_error = 'refused', ancestor_id = gen_random_uuid()").update();
		return job;
	}

	/**
	 * It is due when it comes back, and may have successors.
	 */
	private String row(UUID job) {
		return this.sql
			.sql("""
					SELECT ((to_jsonb(j) - 'due_at' - 'has_successors') || jsonb_build_object('run_at', run_at = 'infinity'))::text
					FROM jobqueue_job j WHERE id = ?
					""")
			.param(job)
			.query(String.class)
			.single();
	}

	private String rowWithoutItsIdentity(UUID job) {
		return this.sql
			.sql("""
					SELECT ((to_jsonb(j) - '{due_at, id, seq, created_at, ancestor_id, unique_key, dedupe_millis, last_error}'::text[])
					       || jsonb_build_object('run_at', run_at = 'infinity'))::text
					FROM jobqueue_job j WHERE id = ?
					""")
			.param(job)
			.query(String.class)
			.single();
	}

	@Test
	void keyBelongsToTheFollowUpOfOneThatHasEnded() {
		UUID cancelled = addAndCancel();
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		succeed(first);
		ChangeResult changed = this.operations.revive(List.of(cancelled));
		assertThat(changed.jobs()).isEmpty();
		assertThat(changed.holders()).isEqualTo(Map.of(cancelled, followUp));
	}

	private UUID addAndCancel() {
		UUID job = addOld(LONG, null).id();
		cancel(job);
		return job;
	}

	@Test
	void keyIsFreeOnceItsWindowIsOver() {
		UUID cancelled = addAndCancel();
		succeed(addAndRun(LONG));
		assertThat(this.operations.revive(List.of(cancelled)).jobs()).isEmpty();
		endWindows();
		assertThat(this.operations.revive(List.of(cancelled)).jobs()).containsExactly(cancelled);
	}

	/**
	 * These were deleted by hand.
	 */
	@Test
	void keyWithoutAHolderIsTaken() {
		UUID cancelled = addAndCancel();
		runAndRequeue();
		this.sql.sql("DELETE FROM jobqueue_job").update();
		this.operations.revive(List.of(cancelled));
		assertThat(again(OnDuplicate.KEEP)).isEqualTo(new JobReceipt(cancelled, Outcome.ALREADY_WAITING));
		succeed(claimOne(this.holder));
		assertThat(count("jobqueue_key")).isZero();
	}

	@Test
	void succeededJobIsNotRetried() {
		enqueue("emails", 1);
		ClaimedJob job = run();
		end(Outcomes.completed(job));
		assertThat(this.operations.revive(List.of(job.id())).jobs()).isEmpty();
		assertThat(column("state", job.id(), String.class)).isEqualTo("SUCCEEDED");
	}

}

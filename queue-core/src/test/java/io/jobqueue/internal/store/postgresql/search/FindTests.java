package io.jobqueue.internal.store.postgresql.search;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobDetails;
import io.jobqueue.JobDetails.Progress;
import io.jobqueue.JobState;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;
import io.jobqueue.internal.store.postgresql.jobs.KeyTestBase;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job is found by its id, or its key, with all its details.
 */
@Tag("pooler") // statements of the store
class FindTests extends KeyTestBase {

	private final SearchStore search = this.stores.search();

	@Test
	void runningJobIsFoundWithItsDetails() {
		ClaimedJob job = addAndRun(null);
		this.jobs.report(this.holder, List.of(new ProgressReport(job.id(), job.claim(), 40, "page 4")));
		FoundJob found = this.search.find(job.id());
		assertThat(found).extracting(FoundJob::state, FoundJob::attempts).containsExactly(JobState.RUNNING, 1);
		assertThat(found.details().key()).isEqualTo("signup-42");
		assertThat(found.details().worker()).isEqualTo("worker");
		assertThat(found.details().progress()).isEqualTo(new Progress(40, "page 4"));
		assertThat(found.details().finishedAt()).isNull();
		recordOutcomes(this.holder, Outcomes.dead(job));
		FoundJob dead = this.search.find(job.id());
		assertThat(dead.state()).isEqualTo(JobState.DEAD);
		assertThat(dead.details().error()).isEqualTo("refused");
		assertThat(dead.details().failures()).isOne();
		assertThat(dead.details().finishedAt()).isNotNull();
		assertThat(this.search.find(UUID.randomUUID())).isNull();
	}

	@Test
	void idOfARemovedWorkerIsFound() {
		ClaimedJob job = addAndRun(null);
		this.sql.sql("DELETE FROM jobqueue_worker").update();
		assertThat(this.search.find(job.id()).details().worker()).isEqualTo(this.holder.toString());
	}

	@Test
	void jobIsFoundWithTheOptionsOfItsRequest() {
		UUID job = enqueue(new NewJobBuilder().delay(LONG)
			.maxAttempts(3)
			.orderedBy("customer")
			.limitedBy("account")
			.group("import")
			.build());
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true, failures = 1, expected_failures = 2").update();
		FoundJob found = this.search.find(job);
		assertThat(found.maxAttempts()).isEqualTo(3);
		assertThat(found.details()).extracting(JobDetails::orderingKey, JobDetails::limitKey, JobDetails::group)
			.containsExactly("customer", "account", "import");
		assertThat(found.details()).extracting(JobDetails::failures, JobDetails::expectedFailures)
			.containsExactly(1, 2);
		assertThat(found.details().cancelRequested()).isTrue();
		cancel(job);
		assertThat(this.search.find(job))
			.extracting(FoundJob::state, (cancelled) -> cancelled.details().cancelRequested())
			.containsExactly(JobState.CANCELLED, false);
	}

	@Test
	void keyBelongsToTheFirstOfTwo() {
		ClaimedJob first = addAndRun(null);
		UUID followUp = again(OnDuplicate.REQUEUE).id();
		assertThat(byKey()).hasValue(first.id());
		assertThat(this.search.findByKey("invoices", "signup-42")).isNull();
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(first.id()).update();
		assertThat(byKey()).hasValue(followUp);
		this.sql.sql("DELETE FROM jobqueue_job").update();
		assertThat(byKey()).isEmpty();
	}

	private Optional<UUID> byKey() {
		return Optional.ofNullable(this.search.findByKey("emails", "signup-42")).map(FoundJob::id);
	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.JobStore.EnqueuedJob;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows and results of an enqueue. There is a statement for one job, one for several,
 * and one for jobs of which some have a unique key.
 */
class JobInsertsTests extends KeyTestBase {

	private static final Instant LATER = Instant.parse("2100-01-01T00:00:00.123456Z");

	private static final Tier TIER = new Tier("emails", 33);

	private EnqueueResult write(Company company, NewJob job) {
		return write(company, job, Origin.NONE);
	}

	private EnqueueResult write(Company company, NewJob job, Origin origin) {
		return inTransaction(() -> this.jobs.enqueue(switch (company) {
			case ALONE -> List.of(job);
			case OTHERS -> List.of(job("emails", 10), job);
			case KEYED -> List.of(keyed(OLD, ZERO, OnDuplicate.KEEP, null), job);
		}, origin));
	}

	private static NewJob job(@Nullable Instant runAt, Duration delay) {
		return new NewJobBuilder().priority(33).runAt(runAt).delay(delay).build();
	}

	private static NewJob keyed(@Nullable String ordering, @Nullable String limit, @Nullable String group) {
		return new NewJobBuilder().priority(33).keys(new JobKeys(null, ordering, limit, group)).build();
	}

	private static NewJob after(UUID predecessor) {
		return new NewJobBuilder().priority(33).after(OnPredecessorFailure.WAIT, predecessor).build();
	}

	private String row(NewJob job, String columns) {
		return this.sql.sql("SELECT concat_ws(' ', %s) FROM jobqueue_job WHERE id = ?".formatted(columns))
			.param(job.id())
			.query(String.class)
			.single();
	}

	@ParameterizedTest
	@EnumSource
	void optionsAreColumns(Company company) {
		NewJob job = new NewJobBuilder().queue("invoices")
			.type("fax")
			.payload(NEW)
			.priority(44)
			.expiresAfter(LONG)
			.maxAttempts(7)
			.maxRunTime(Duration.ofMillis(1_234))
			.headers("{\"a\":\"b\"}")
			.build();
		write(company, job);
		assertThat(row(job,
				"queue, type, payload, priority, max_attempts, max_run_millis, headers, expires_at - run_at, payload_bytes"))
			.isEqualTo("invoices fax " + NEW + " 44 7 1234 {\"a\":\"b\"} 01:00:00");
	}

	@ParameterizedTest
	@EnumSource
	void absentOptionsAreNull(Company company) {
		NewJob job = job(null, ZERO);
		write(company, job);
		assertThat(
				row(job, """
						due_at, payload_bytes, max_attempts, max_run_millis, headers, expires_at, unique_key, dedupe_millis, ordering_key,
						limit_key, job_group, admission, follows, parent_id, root_id, batch_id"""))
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void payloadMayBeBytes(Company company) {
		NewJob job = new NewJobBuilder().payload(Encoded.ofBytes(new byte[] { 1, -1 })).build();
		write(company, job);
		assertThat(row(job, "payload_bytes, payload")).isEqualTo("\\x01ff");
	}

	@ParameterizedTest
	@EnumSource
	void jobWithAnOrderingOrALimitKeyIsPending(Company company) {
		assertPending(company, keyed("o", "l", "g"), "o l g");
		assertPending(company, keyed("o", null, null), "o");
		assertPending(company, keyed(null, "l", null), "l");
	}

	private void assertPending(Company company, NewJob job, String keys) {
		JobsAvailable available = availableIn(TIER, write(company, job));
		assertThat(available.pendingAdmission()).isTrue();
		assertThat(row(job, "ordering_key, limit_key, job_group, admission, run_at, due_at - created_at"))
			.isEqualTo(keys + " PENDING infinity 00:00:00");
		empty();
	}

	@ParameterizedTest
	@EnumSource
	void jobOfAGroupIsNot(Company company) {
		NewJob job = keyed(null, null, "g");
		JobsAvailable available = availableIn(TIER, write(company, job));
		assertThat(available.pendingAdmission()).isFalse();
		assertThat(row(job, "job_group, admission, run_at - created_at, due_at")).isEqualTo("g 00:00:00");
	}

	@ParameterizedTest
	@EnumSource
	void jobWithoutATimeIsDueAtOnce(Company company) {
		assertDue(company, job(null, ZERO), (at) -> at);
	}

	@ParameterizedTest
	@EnumSource
	void jobIsDueAfterItsDelay(Company company) {
		assertDue(company, job(null, LONG), (at) -> at.plus(LONG));
	}

	@ParameterizedTest
	@EnumSource
	void timeTakesPrecedenceOverTheDelay(Company company) {
		assertDue(company, job(LATER, LONG), (at) -> LATER);
	}

	@ParameterizedTest
	@EnumSource
	void timeInThePastIsNow(Company company) {
		assertDue(company, job(Instant.EPOCH, LONG), (at) -> at);
	}

	private void assertDue(Company company, NewJob job, UnaryOperator<Instant> due) {
		EnqueueResult written = write(company, job);
		Instant at = column("created_at", job.id(), Instant.class);
		Instant dueAt = due.apply(at);
		assertThat(column("run_at", job.id(), Instant.class)).isEqualTo(dueAt);
		assertThat(availableIn(TIER, written))
			.isEqualTo(new JobsAvailable(TIER, JobPosition.at(dueAt), Duration.between(at, dueAt)));
	}

	private static JobsAvailable availableIn(Tier tier, EnqueueResult written) {
		List<JobsAvailable> available = written.available()
			.stream()
			.filter((each) -> each.tier().equals(tier))
			.toList();
		assertThat(available).hasSize(1);
		return available.get(0);
	}

	@ParameterizedTest
	@EnumSource
	void resultsAreInTheOrderOfTheJobs(Company company) {
		NewJob job = job(LATER, ZERO);
		EnqueueResult written = write(company, job);
		Instant at = column("created_at", job.id(), Instant.class);
		assertThat(written.jobs()).hasSize((company == Company.ALONE) ? 1 : 2)
			.allMatch((each) -> each.receipt().outcome() == Outcome.ADDED && each.at().equals(at))
			.last()
			.isEqualTo(new EnqueuedJob(new JobReceipt(job.id(), Outcome.ADDED), false, 0, at, at));
	}

	@Test
	void eachTierHasAWakeUpForItsFirstJob() {
		EnqueueResult written = this.jobs.enqueue(
				List.of(job(null, LONG), job("emails", 10), job(null, ZERO), job("invoices", 33), job(LATER, ZERO)));
		Instant at = written.jobs().get(0).at();
		assertThat(written.available()).extracting(JobsAvailable::tier)
			.containsExactlyInAnyOrder(TIER, new Tier("emails", 10), new Tier("invoices", 33));
		assertThat(written.available()).extracting(JobsAvailable::position).containsOnly(JobPosition.at(at));
	}

	@ParameterizedTest
	@EnumSource
	void jobThatWaitsForAnotherHasNoWakeUp(Company company) {
		NewJob job = after(enqueue(job("emails", 10)));
		EnqueueResult written = write(company, job);
		assertThat(written.jobs()).extracting(EnqueuedJob::blocked).last().isEqualTo(true);
		assertThat(written.available()).extracting(JobsAvailable::tier)
			.hasSize((company == Company.ALONE) ? 0 : 1)
			.doesNotContain(TIER);
		assertThat(row(job, "admission, run_at, due_at - created_at")).isEqualTo("PREDECESSORS infinity 00:00:00");
	}

	@ParameterizedTest
	@EnumSource
	void jobIsOfTheFamilyOfItsParent(Company company) {
		UUID root = enqueue(job("emails", 10));
		NewJob child = job(null, ZERO);
		NewJob grandchild = job(null, ZERO);
		write(company, child, new Origin(root, null));
		write(company, grandchild, new Origin(child.id(), null));
		assertThat(row(child, "parent_id, root_id")).isEqualTo(root + " " + root);
		assertThat(row(grandchild, "parent_id, root_id")).isEqualTo(child.id() + " " + root);
	}

	@ParameterizedTest
	@EnumSource
	void parentMayHaveEnded(Company company) {
		UUID root = enqueue(job("emails", 10));
		NewJob parent = job(null, ZERO);
		write(Company.ALONE, parent, new Origin(root, null));
		UUID worker = worker();
		claim(worker, request("emails", 2)).forEach((job) -> recordOutcomes(worker, Completed.of(job, LONG, null)));
		NewJob child = job(null, ZERO);
		write(company, child, new Origin(parent.id(), null));
		assertThat(row(child, "parent_id, root_id")).isEqualTo(parent.id() + " " + root);
	}

	@ParameterizedTest
	@EnumSource
	void parentThatIsGoneIsTheRoot(Company company) {
		UUID gone = UUID.randomUUID();
		NewJob child = job(null, ZERO);
		write(company, child, new Origin(gone, null));
		assertThat(row(child, "parent_id, root_id")).isEqualTo(gone + " " + gone);
	}

	/**
	 * The statement for one job is cheaper, and not the one for several.
	 */
	@Test
	void jobThatIsLeftOverIsWrittenAlone() {
		CountingDataSource counting = new CountingDataSource(this.dataSource);
		List<NewJob> all = IntStream.rangeClosed(0, 1_000)
			.mapToObj((place) -> job((place < 1_000) ? "emails" : "invoices", 33))
			.toList();
		EnqueueResult written = PostgresStores.of(counting, this.dataSource, null).jobs().enqueue(all);
		assertThat(counting.sent()).hasSize(2);
		assertThat(counting.sent()).element(0).asString().contains("unnest");
		assertThat(counting.sent()).element(1).asString().doesNotContain("unnest");
		assertThat(written.receipts()).extracting(JobReceipt::id)
			.containsExactlyElementsOf(all.stream().map(NewJob::id).toList());
		assertThat(written.available()).extracting(JobsAvailable::tier)
			.containsExactlyInAnyOrder(TIER, new Tier("invoices", 33));
	}

	/**
	 * The jobs of the same call, which decide on the statement.
	 */
	enum Company {

		ALONE, OTHERS, KEYED

	}

}

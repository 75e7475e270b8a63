package io.jobqueue.internal.store.postgresql.jobs;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PlanRecorder.Plan;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the server executes the statements of a worker and of the gauges where the table
 * holds half a million jobs.
 */
@Tag("slow") // fills large tables
class QueryPlanTests extends StoreTestBase {

	private static final String FETCH = "Index Scan jobqueue_job_fetch";

	private static final String FETCH_ONLY = "Index Only Scan jobqueue_job_fetch";

	private static final String BY_PLACE = "Tid Scan";

	private static final String BY_PREDECESSOR = "Index Scan jobqueue_job_follows";

	private static final String ANY_FOLLOWER = "Index Only Scan jobqueue_job_follows";

	private static final String ANY_HELD = "Index Only Scan jobqueue_job_held";

	private static final String AT_THE_GATE = "Index Only Scan jobqueue_job_pending";

	private static final String ANY_ORDERED = "Index Only Scan jobqueue_job_ordered";

	private static final String ANY_SLOT = "Index Only Scan jobqueue_job_slot";

	private static final String BY_REQUEST = "Index Scan jobqueue_job_cancel";

	private static final String FIRST_TO_EXPIRE = "Index Only Scan jobqueue_job_expiry";

	private static final String BY_EXPIRY = "Index Scan jobqueue_job_expiry";

	private static final String BY_ID = "Index Scan jobqueue_job_pkey";

	private final PlanRecorder recorder = new PlanRecorder(this.database);

	private final PostgresStores recorded = PostgresStores.of(this.recorder, this.database.dataSource(), null);

	private final PostgresStores heartbeat = PostgresStores.of(this.database.dataSource(), this.recorder, null);

	private UUID worker;

	@BeforeAll
	void fill() {
		MigratedDatabase.fill(this.sql, this::insert);
	}

	private void insert() {
		insert("emails", 0, 100_000, "now() + n * interval '1 second'", 0);
		insert("emails", 10, 250_000, "now() - n * interval '1 millisecond'", 0);
		insert("emails", 20, 100_000, "now() + n * interval '1 second'", 3);
		insert("invoices", 30, 50_000, "now() - n * interval '1 millisecond'", 0);
	}

	private void insert(String queue, int priority, int count, String runAt, int failures) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload)
					SELECT ('00000000-0000-7000-%s-' || lpad(to_hex(n), 12, '0'))::uuid, %s, now(), %s, %s, '%s', 'mail', '{}'
					FROM generate_series(1, %s) n
					"""
				.formatted(8000 + priority, runAt, priority, failures, queue, count))
			.update();
	}

	@Override
	@BeforeEach
	public void empty() {
		this.worker = worker();
		this.recorder.take();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 50, 500 })
	void claimReadsLittleMoreThanItTakes(int jobs) {
		assertThat(this.recorded.jobs().claim(this.worker, request("emails", jobs)).jobs()).hasSize(jobs);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
			.contains(FETCH)
			.isSubsetOf(FETCH, FETCH_ONLY, BY_PLACE);
		assertBuffers(plan, 100 + 15 * jobs);
	}

	@Test
	void claimOfANewJobFindsItByItsId() {
		UUID job = this.sql.sql("SELECT id FROM jobqueue_job WHERE queue = 'invoices' LIMIT 1")
			.query(UUID.class)
			.single();
		assertThat(this.recorded.jobs()
			.claimNew(this.worker, new ClaimRequestBuilder(1).queue("invoices").buildFor(job))
			.jobs()).hasSize(1);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString()).contains(BY_ID).isSubsetOf(BY_ID, BY_PLACE);
		assertBuffers(plan, 50);
	}

	@Test
	void scanReadsNextToNothing() {
		this.recorded.jobs().scanBacklog(List.of(new ServedQueue("emails", Set.of("mail"), 0, 99)));
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
			.isNotEmpty()
			.allMatch((read) -> read.endsWith(" jobqueue_job_fetch") || read.equals(AT_THE_GATE));
		assertBuffers(plan, 300);
	}

	@Test
	void settlingFindsJobsByTheirIds() {
		List<ClaimedJob> jobs = claim(this.worker, request("invoices", 40));
		List<Outcome> outcomes = List.of(Outcomes.completed(jobs.get(0)), Outcomes.retried(jobs.get(1), TIMEOUT),
				Outcomes.released(jobs.get(2)));
		this.recorded.jobs()
			.recordOutcomes(this.worker, outcomes, List.of(jobs.get(0).claim()), CompletionEffects.NONE);
		Collection<Plan> plans = this.recorder.take();
		assertThat(plans).hasSize(5).allSatisfy((plan) -> {
			assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.isSubsetOf(BY_ID, BY_REQUEST, BY_PREDECESSOR, BY_PLACE);
			assertBuffers(plan, 200);
		});
	}

	@Test
	void reaperFindsJobsThroughTheirClaims() {
		claim(this.worker, request("invoices", 40));
		fallSilent(this.worker);
		assertThat(this.recorded.maintenance().reap(null).taken()).hasSize(1);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
			.isSubsetOf(BY_ID, ANY_FOLLOWER, ANY_ORDERED, ANY_SLOT, ANY_HELD, BY_REQUEST, FIRST_TO_EXPIRE);
		assertBuffers(plan, 600);
	}

	@Test
	void sweepFindsJobsToCancelWithoutLookingAtOthers() {
		this.sql.sql("""
				UPDATE jobqueue_job SET expires_at = now()
				WHERE id IN (SELECT id FROM jobqueue_job WHERE queue = 'invoices' LIMIT 3)
				""").update();
		assertThat(this.recorded.maintenance().findCancellable(9)).hasSize(3);
		Plan plan = this.recorder.takeOnly();
		this.sql.sql("UPDATE jobqueue_job SET expires_at = NULL WHERE expires_at IS NOT NULL").update();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString()).containsExactly(BY_EXPIRY, BY_REQUEST);
		assertBuffers(plan, 50);
	}

	@Test
	void heartbeatFindsRequestsToCancelWithoutLookingAtJobs() {
		this.heartbeat.workers().checkIn(new WorkerBuilder(this.worker).queues().build(), false);
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString()).containsExactly(BY_REQUEST);
		assertBuffers(plan, 50);
	}

	@Test
	void cancellingFindsTheJobByItsId() {
		UUID job = this.sql.sql("SELECT id FROM jobqueue_job WHERE queue = 'invoices' LIMIT 1")
			.query(UUID.class)
			.single();
		assertThat(this.recorded.operations().find(job)).isNotNull();
		assertThat(this.recorded.operations().cancel(job, null).ended()).hasSize(1);
		assertThat(this.recorder.take()).hasSize(4).allSatisfy((plan) -> {
			assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.isSubsetOf(BY_ID, BY_REQUEST, BY_PREDECESSOR, BY_PLACE);
			assertBuffers(plan, 100);
		});
	}

	/**
	 * Pages that other tests have changed are looked up one by one until they are
	 * vacuumed.
	 */
	@Test
	void costOfGaugesIsIndependentOfTheNumberOfJobs() {
		claim(this.worker, request("invoices", 40));
		this.sql.sql("VACUUM jobqueue_job").update();
		assertThat(this.recorded.monitoring().read(Set.of("emails", "invoices")).tiers()).hasSize(4);
		List<Plan> plans = this.recorder.take();
		assertThat(plans.subList(0, 2))
			.allSatisfy((plan) -> assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
				.isNotEmpty()
				.allMatch((read) -> read.startsWith("Index")));
		assertThat(plans.get(1).readsOf("jobqueue_claim")).as(plans.get(1).toString())
			.isNotEmpty()
			.allMatch((read) -> read.startsWith("Index"));
		assertBuffers(plans.get(0), 200);
		assertBuffers(plans.get(1), 5_000);
	}

	@Test
	void failingTypesAreReadFromTheIndexOfFailures() {
		assertThat(this.recorded.monitoring().failuresByType(List.of(new Tier("emails", 20), new Tier("emails", 10))))
			.containsExactly(new TypeFailures(new Tier("emails", 20), "mail", 3, 3));
		Plan plan = this.recorder.takeOnly();
		assertThat(plan.readsOf("jobqueue_job")).as(plan.toString())
			.containsExactly("Index Scan jobqueue_job_failures");
		assertBuffers(plan, 1_200);
	}

	private static void assertBuffers(Plan plan, long limit) {
		assertThat(plan.buffers()).as("%d buffers, where %d are enough: %s", plan.buffers(), limit, plan)
			.isLessThanOrEqualTo(limit);
	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

import org.springframework.context.support.StaticApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.TestPool;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.WorkflowFollower;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * A migrated database, emptied before each test, and short ways to fill it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("oldest") // statements of the store
public abstract class StoreTestBase {

	protected static final Duration TIMEOUT = Duration.ofMinutes(1);

	public final TestDatabase database = MigratedDatabase.create();

	public final HikariDataSource dataSource = TestPool.of(this.database.dataSource(), 20);

	public final JdbcClient sql = JdbcClient.create(this.dataSource);

	public final PostgresStores stores = PostgresStores.of(this.dataSource, this.database.dataSource(), null);

	public final JobStore jobs = this.stores.jobs();

	protected final WorkerStore workers = this.stores.workers();

	protected final MaintenanceStore maintenance = this.stores.maintenance();

	private long claims;

	@BeforeEach
	protected void empty() {
		MigratedDatabase.empty(this.sql);
	}

	@AfterAll
	protected void drop() {
		this.stores.close();
		this.dataSource.close();
		this.database.close();
	}

	protected UUID worker() {
		return worker("worker");
	}

	protected UUID worker(String name) {
		UUID id = UUID.randomUUID();
		this.workers.checkIn(new WorkerBuilder(id).name(name).timeout(TIMEOUT).build(), false);
		return id;
	}

	protected void fallSilent(UUID worker) {
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour' WHERE id = ?")
			.param(worker)
			.update();
	}

	/**
	 * Let the time pass in which a worker may end an attempt itself.
	 */
	protected void passFewSeconds() {
		this.sql.sql("UPDATE jobqueue_job SET lease_until = lease_until - interval '3 seconds'").update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = expires_at - interval '3 seconds'").update();
	}

	protected void endLease(UUID job) {
		this.sql.sql("UPDATE jobqueue_job SET lease_until = statement_timestamp() WHERE id = ?").param(job).update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = statement_timestamp()").update();
	}

	protected NewJob job(String queue, int priority) {
		return job(queue, "mail", priority, null, Duration.ZERO, null);
	}

	protected NewJob lastAttempt(String queue) {
		return job(queue, "mail", 10, null, Duration.ZERO, 1);
	}

	protected NewJob job(String queue, String type, int priority, @Nullable Instant runAt, Duration delay,
			@Nullable Integer maxAttempts) {
		return new NewJobBuilder().queue(queue)
			.type(type)
			.priority(priority)
			.runAt(runAt)
			.delay(delay)
			.maxAttempts(maxAttempts)
			.build();
	}

	protected UUID enqueue(NewJob job) {
		this.jobs.enqueue(List.of(job));
		return job.id();
	}

	protected List<UUID> enqueue(String queue, int count) {
		List<NewJob> all = Stream.generate(() -> job(queue, 10)).limit(count).toList();
		this.jobs.enqueue(all);
		return all.stream().map(NewJob::id).toList();
	}

	protected ClaimRequest request(String queue, int free) {
		return request(queue, free, 0, "mail");
	}

	protected ClaimRequest request(String queue, int free, int prefetch, String... types) {
		return request().queue(queue).types(types).free(free).prefetch(prefetch).build();
	}

	protected ClaimRequestBuilder request() {
		return new ClaimRequestBuilder(++this.claims);
	}

	/**
	 * What is due at infinity waits for another job.
	 */
	protected void insert(int count, String runAt, int failures) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, failures, queue, type, payload)
					SELECT gen_random_uuid(), r.run_at, CASE WHEN r.run_at = 'infinity' THEN now() END, now(), 10, %d, 'emails',
					       'mail', '{}'
					FROM generate_series(1, %d) CROSS JOIN (SELECT (%s)::timestamptz AS run_at) r
					"""
				.formatted(failures, count, runAt))
			.update();
	}

	protected List<TierBacklog> scanBacklog(String... types) {
		return this.jobs.scanBacklog(List.of(new ServedQueue("emails", Set.of(types), 0, 99)));
	}

	protected List<ClaimedJob> claim(UUID worker, ClaimRequest request) {
		return this.jobs.claim(worker, request).jobs();
	}

	protected ClaimedJob claimOne(UUID worker) {
		return claim(worker, request("emails", 1)).get(0);
	}

	/**
	 * Record outcomes of jobs, each the only one of its claim.
	 */
	protected Set<UUID> recordOutcomes(UUID worker, Outcome... outcomes) {
		return this.jobs
			.recordOutcomes(worker, List.of(outcomes), Arrays.stream(outcomes).map(Outcome::claim).toList(),
					CompletionEffects.NONE)
			.jobs();
	}

	/**
	 * Cancel the unclaimed jobs that have a cancel request.
	 */
	protected List<UUID> cancelUnclaimed() {
		return this.maintenance
			.cancel(this.maintenance.findCancellable(100)
				.keySet()
				.stream()
				.collect(Collectors.toMap((job) -> job, (job) -> Duration.ZERO)))
			.ended()
			.stream()
			.map(EndedJob::id)
			.toList();
	}

	protected Reaper reaper(JobSignals signals) {
		JobEvents events = new JobEvents(new StaticApplicationContext(), "node");
		return new Reaper(this.maintenance, signals, (reaped) -> {
		}, events, new DependencyResolver(this.stores.dependencies(),
				new WorkflowFollower(this.stores.workflows(), signals, () -> {
					throw new IllegalStateException("No instance is cancelled");
				}), signals, events, (queue) -> null, (dead) -> {
				}), (queue) -> null);
	}

	protected long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	protected <T> T column(String column, UUID job, Class<T> type) {
		return this.sql.sql("SELECT %s FROM jobqueue_jobs WHERE id = ?".formatted(column))
			.param(job)
			.query(type)
			.single();
	}

}

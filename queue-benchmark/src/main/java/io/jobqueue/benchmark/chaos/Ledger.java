package io.jobqueue.benchmark.chaos;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.Delivery;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.Workflows;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * What was ordered, and what handlers did about it. The callback of a batch is ordered
 * with the seal. One that depends on failures has {@code on_failure}: it is expected if
 * that equals whether a member has died.
 */
final class Ledger {

	static final String TABLES = """
			CREATE TABLE chaos_order (
			    job_id      uuid        NOT NULL PRIMARY KEY,
			    delivery    text        NOT NULL,
			    ordered_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
			    after_id    uuid,
			    batch_id    uuid,
			    callback_of uuid,
			    on_failure  boolean
			);
			CREATE INDEX ON chaos_order (batch_id);
			CREATE TABLE chaos_effect (
			    job_id  uuid        NOT NULL,
			    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
			    early   boolean     NOT NULL DEFAULT false,
			    numbers bigint[]
			);
			CREATE TABLE chaos_tick (
			    job_id       uuid        NOT NULL,
			    scheduled_at timestamptz NOT NULL
			)
			""";

	private final JobQueue queue;

	private final Workflows workflows;

	private final JdbcOperations jdbc;

	private final TransactionTemplate transaction;

	Ledger(JobQueue queue, Workflows workflows, JdbcOperations jdbc, PlatformTransactionManager transactionManager) {
		this.queue = queue;
		this.workflows = workflows;
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Enqueue a job and note that, both or neither: in the transaction of the caller, if
	 * there is one.
	 * @return the id of the job
	 */
	UUID order(Errand errand) {
		return order(JobRequest.of(Errands.QUEUE, errand), errand.delivery(), null);
	}

	/**
	 * Enqueue a job that waits for the end of another one, whatever that is.
	 */
	UUID order(Errand errand, UUID after) {
		return order(JobRequest.of(Errands.QUEUE, errand).after(after).ifPredecessorFails(OnPredecessorFailure.RUN),
				errand.delivery(), after);
	}

	private UUID order(JobRequest request, Delivery delivery, @Nullable UUID after) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			UUID job = this.queue.enqueue(request).id();
			note(job, delivery, after, null);
			return job;
		}));
	}

	/**
	 * Start a workflow, and order the jobs of its steps. The last one waits for the two
	 * before it; the ledger has one of them.
	 * @return the ids of these jobs
	 */
	List<UUID> order(Tour tour) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			UUID workflow = this.workflows.start(Tour.NAME, tour).id();
			List<UUID> jobs = write((sql) -> sql
				.sql("SELECT job_id FROM jobqueue_workflow_step WHERE workflow_id = ? ORDER BY position")
				.param(workflow)
				.query(UUID.class)
				.list());
			for (int step = 0; step < jobs.size(); step++) {
				note(jobs.get(step), tour.errands().get(step).delivery(), (step > 0) ? jobs.get((step - 1) / 2) : null,
						null);
			}
			return jobs;
		}));
	}

	private void note(UUID job, Delivery delivery, @Nullable UUID after, @Nullable UUID batch) {
		write((sql) -> sql.sql("INSERT INTO chaos_order (job_id, delivery, after_id, batch_id) VALUES (?, ?, ?, ?)")
			.param(job)
			.param(delivery.name())
			.param(3, after, Types.OTHER)
			.param(4, batch, Types.OTHER)
			.update());
	}

	/**
	 * Start a batch with its first members. Its callback is not ordered yet.
	 * @param callback the job that follows
	 * @param split whether another job of the same kind follows instead if a member dies
	 * @param members its first members
	 */
	OpenBatch start(Errand callback, boolean split, List<Errand> members) {
		JobRequest follower = JobRequest.of(Errands.QUEUE, callback);
		Batch.Builder always = this.queue.batch("chaos").then(follower);
		Batch.Builder builder = split ? always.onFailure(follower) : always;
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			Batch batch = builder.start();
			return new OpenBatch(batch, callback.delivery(), add(batch, members));
		}));
	}

	/**
	 * Add the last members of a batch, seal it and order its callback.
	 * @return the ids of these members, and of the jobs of which one is the callback
	 */
	List<UUID> seal(OpenBatch open, List<Errand> members) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			List<UUID> ordered = new ArrayList<>(add(open.batch(), members));
			open.batch().seal();
			ordered.addAll(orderCallback(open));
			return ordered;
		}));
	}

	private List<UUID> add(Batch batch, List<Errand> errands) {
		List<JobRequest> requests = errands.stream().map((errand) -> JobRequest.of(Errands.QUEUE, errand)).toList();
		List<UUID> members = batch.add(requests).stream().map(JobReceipt::id).toList();
		for (int i = 0; i < members.size(); i++) {
			note(members.get(i), errands.get(i).delivery(), null, batch.id());
		}
		return members;
	}

	private List<UUID> orderCallback(OpenBatch open) {
		return write((sql) -> sql.sql("""
				INSERT INTO chaos_order (job_id, delivery, callback_of, on_failure)
				SELECT then_id, ?, id, CASE WHEN failure_id IS NOT NULL THEN false END FROM jobqueue_batch WHERE id = ?
				UNION ALL
				SELECT failure_id, ?, id, true FROM jobqueue_batch WHERE id = ? AND failure_id IS NOT NULL
				RETURNING job_id
				""")
			.params(open.delivery().name(), open.batch().id(), open.delivery().name(), open.batch().id())
			.query(UUID.class)
			.list());
	}

	/**
	 * Order something, and think better of it.
	 */
	void cancel(Errand errand) {
		this.transaction.executeWithoutResult((status) -> {
			order(errand);
			status.setRollbackOnly();
		});
	}

	/**
	 * Note an effect with the numbers of the job's batch, and whether it is early: the
	 * job is not ordered yet, or one that it waited for has not ended. It is noted in the
	 * transaction of the caller, if there is one.
	 */
	void effect(UUID job, @Nullable BatchInfo batch) {
		write((sql) -> sql
			.sql("""
					INSERT INTO chaos_effect (job_id, early, numbers)
					SELECT e.id, NOT EXISTS (SELECT 1 FROM chaos_order o WHERE o.job_id = e.id) OR EXISTS (
					    SELECT 1 FROM chaos_order o JOIN jobqueue_job j ON j.id = o.after_id WHERE o.job_id = e.id) OR EXISTS (
					    SELECT 1 FROM chaos_order o
					    JOIN chaos_order m ON m.batch_id = o.callback_of
					    JOIN jobqueue_job j ON j.id = m.job_id
					    WHERE o.job_id = e.id), ?::bigint[]
					FROM (SELECT ?::uuid AS id) e
					""")
			.param((batch != null) ? numbers(batch) : null)
			.param(job)
			.update());
	}

	private static long[] numbers(BatchInfo batch) {
		return new long[] { batch.total(), batch.succeeded(), batch.dead(), batch.cancelled() };
	}

	/**
	 * Note the tick that a job has run for.
	 */
	void tick(UUID job, Instant scheduledAt) {
		write((sql) -> sql.sql("INSERT INTO chaos_tick (job_id, scheduled_at) VALUES (?, ?)")
			.params(job, scheduledAt.atOffset(ZoneOffset.UTC))
			.update());
	}

	/**
	 * Write in the transaction of this thread, if there is one. After its pool was
	 * replaced, Spring returns another connection, which would commit each statement.
	 */
	private <T> T write(Function<JdbcClient, T> statement) {
		return Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<T>) (connection) -> {
			Assert.state(connection.getAutoCommit() != TransactionSynchronizationManager.isActualTransactionActive(),
					"The pool was replaced after the transaction began");
			return statement.apply(JdbcClient.create(new SingleConnectionDataSource(connection, true)));
		}));
	}

	/**
	 * A batch whose start was acknowledged.
	 *
	 * @param batch the batch
	 * @param delivery that of its callback
	 * @param members its first members
	 */
	record OpenBatch(Batch batch, Delivery delivery, List<UUID> members) {

	}

}

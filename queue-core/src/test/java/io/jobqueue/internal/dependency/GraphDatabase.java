package io.jobqueue.internal.dependency;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.context.support.StaticApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.harness.TestPool;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.workflow.WorkflowFollower;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * The stores of a database, for graphs of jobs.
 */
final class GraphDatabase implements AutoCloseable {

	private final TestDatabase database = MigratedDatabase.create();

	private final HikariDataSource dataSource = TestPool.of(this.database.dataSource(), 12);

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	private final PostgresStores stores = PostgresStores.of(this.dataSource, this.database.dataSource(), null);

	private final JobStore jobs = this.stores.jobs();

	private final OperationStore operations = this.stores.operations();

	private final MaintenanceStore maintenance = this.stores.maintenance();

	private final JobEvents events = new JobEvents(new StaticApplicationContext(), "node");

	private final AtomicLong claims = new AtomicLong();

	JobStore jobs() {
		return this.jobs;
	}

	OperationStore operations() {
		return this.operations;
	}

	JdbcClient sql() {
		return this.sql;
	}

	OpenTransaction transaction() {
		return new OpenTransaction(this.database.dataSource());
	}

	void empty() {
		MigratedDatabase.empty(this.sql);
	}

	BatchStore batches() {
		return this.stores.batches();
	}

	DependencyStore dependencies() {
		return this.stores.dependencies();
	}

	DependencyResolver resolver(@Nullable Duration retention) {
		return resolver(dependencies(), retention);
	}

	DependencyResolver resolver(DependencyStore store, @Nullable Duration retention) {
		return new DependencyResolver(store, new WorkflowFollower(this.stores.workflows(), new JobSignals(), () -> {
			throw new IllegalStateException("No instance is cancelled");
		}), new JobSignals(), this.events, (queue) -> retention, (dead) -> {
		});
	}

	UUID worker() {
		UUID id = UUID.randomUUID();
		this.stores.workers()
			.checkIn(new WorkerBuilder(id).queues(Graph.QUEUE).timeout(Duration.ofMinutes(5)).build(), false);
		return id;
	}

	static PendingDependencies pending(Collection<UUID> predecessors) {
		return new PendingDependencies(new HashSet<>(predecessors), new HashSet<>());
	}

	void kill(UUID worker) {
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = last_active_at - interval '1 hour' WHERE id = ?")
			.param(worker)
			.update();
	}

	List<ClaimedJob> claim(UUID worker, int free) {
		ClaimRequest request = new ClaimRequestBuilder(this.claims.incrementAndGet()).queue(Graph.QUEUE)
			.free(free)
			.priorities(10, 10)
			.build();
		return this.jobs.claim(worker, request).jobs();
	}

	void purge() {
		this.maintenance.purge(100);
	}

	/**
	 * Do what the reaper of a node does, until nothing is left to do.
	 */
	void reap(@Nullable Duration retention) {
		ReaperPass pass;
		do {
			pass = this.maintenance.reap(null);
			PendingDependencies unused = resolver(retention).resolve(pending(EndedJob.predecessors(pass.ended())));
		}
		while (!pass.taken().isEmpty() || !pass.ended().isEmpty());
		PendingDependencies unused = resolver(retention)
			.resolve(pending(EndedJob.predecessors(cancelUnclaimed(retention))));
		resolver(retention).sweep();
	}

	private List<EndedJob> cancelUnclaimed(@Nullable Duration retention) {
		Map<UUID, @Nullable Duration> jobs = new HashMap<>();
		this.maintenance.findCancellable(100).forEach((job, queue) -> jobs.put(job, retention));
		return this.maintenance.cancel(jobs).ended();
	}

	@Override
	public void close() {
		this.stores.close();
		this.dataSource.close();
		this.database.close();
	}

}

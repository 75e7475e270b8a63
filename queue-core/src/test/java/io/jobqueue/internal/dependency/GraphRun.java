package io.jobqueue.internal.dependency;

import java.sql.ResultSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.jobqueue.BatchDetails;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobState;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.dependency.Graph.MemberBatch;
import io.jobqueue.internal.dependency.Reference.Ended;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.JobStore.Origin;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.RetryLater;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A graph whose jobs are enqueued while workers run them and an operator changes them,
 * each on connections of its own.
 */
final class GraphRun {

	private static final Instant EARLIER = Instant.parse("2026-01-01T00:00:00Z");

	private final Graph graph;

	private final GraphDatabase database;

	private final Reference reference;

	private final AtomicBoolean enqueued = new AtomicBoolean();

	GraphRun(Graph graph, GraphDatabase database) {
		this.graph = graph;
		this.database = database;
		this.reference = new Reference(graph);
	}

	void run(ExecutorService threads) throws Exception {
		List<Callable<Boolean>> roles = List.of(this::enqueue, () -> work(1), () -> work(2), this::operate);
		List<Future<Boolean>> running = new ArrayList<>();
		for (Callable<Boolean> role : roles) {
			running.add(threads.submit(role));
		}
		for (Future<Boolean> role : running) {
			finish(role);
		}
		drain();
		this.reference.ended(states());
		UUID batch = this.graph.batch().id();
		BatchDetails details = Objects.requireNonNull(this.database.batches().find(batch));
		this.reference.ended(details);
		this.reference.unfinished(details, liveMembers(batch));
		this.reference.blocked(details, blockedCallbacks());
	}

	private static void finish(Future<Boolean> role) throws Exception {
		try {
			role.get();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

	private Random random(int role) {
		return new Random(this.graph.seed() * 31 + role);
	}

	private boolean enqueue() {
		try (OpenTransaction transaction = this.database.transaction()) {
			Random random = random(3);
			MemberBatch batch = this.graph.batch();
			transaction.batches().start(batch.id(), "graph", batch.callbacks(), null);
			transaction.end(true);
			enqueue(0, batch.sealed(), transaction, random);
			seal(transaction, random);
			enqueue(batch.sealed(), this.graph.jobs().size(), transaction, random);
			return true;
		}
		finally {
			this.enqueued.set(true);
		}
	}

	private void enqueue(int from, int to, OpenTransaction transaction, Random random) {
		int index = from;
		while (index < to) {
			int end = Math.min(to, index + 1 + random.nextInt(4));
			enqueue(this.graph.jobs().subList(index, end), transaction, random);
			index = end;
		}
	}

	private void seal(OpenTransaction transaction, Random random) {
		UUID batch = this.graph.batch().id();
		assertThat(transaction.batches().seal(batch)).isTrue();
		transaction.end(true);
		resolve(List.of(batch), random);
	}

	private Origin origin(NewJob job) {
		MemberBatch batch = this.graph.batch();
		return batch.members().contains(job.id()) ? new Origin(null, batch.id()) : Origin.NONE;
	}

	/**
	 * The predecessors of a job may be unknown: rolled back, or not kept.
	 */
	private void enqueue(List<NewJob> jobs, OpenTransaction transaction, Random random) {
		List<NewJob> added = new ArrayList<>();
		PendingDependencies predecessors = GraphDatabase.pending(Set.of());
		for (NewJob job : jobs) {
			try {
				predecessors.addAll(
						GraphDatabase.pending(transaction.jobs().enqueue(List.of(job), origin(job)).predecessors()));
				added.add(job);
			}
			catch (JobRejectedException ex) {
				if (!ex.getMessage().contains("neither live nor in the archive")) {
					throw ex;
				}
			}
		}
		boolean commits = random.nextInt(10) > 0;
		if (commits) {
			added.forEach(this.reference::committed);
		}
		transaction.end(commits);
		resolve(commits ? predecessors : GraphDatabase.pending(Set.of()), random);
	}

	/**
	 * Do what follows a commit, unless the JVM stops before.
	 */
	private void resolve(PendingDependencies predecessors, Random random) {
		if (!this.graph.kills() || random.nextInt(5) > 0) {
			PendingDependencies pending = predecessors;
			while (!pending.isEmpty()) {
				pending = this.database.resolver(this.graph.retention()).resolve(pending);
			}
		}
	}

	private void resolve(Collection<UUID> predecessors, Random random) {
		resolve(GraphDatabase.pending(predecessors), random);
	}

	private boolean work(int role) {
		Random random = random(role);
		try (Worker worker = new Worker(random)) {
			boolean last = false;
			while (!last) {
				last = this.enqueued.get();
				while (worker.claimAndRun()) {
					last = false;
				}
			}
			return true;
		}
	}

	/**
	 * Let everything end that can.
	 */
	private void drain() {
		Random random = random(5);
		try (Worker worker = new Worker(random)) {
			boolean any;
			do {
				if (this.graph.kills()) {
					this.database.reap(this.graph.retention());
				}
				any = false;
				while (worker.claimAndRun()) {
					any = true;
				}
			}
			while (any);
		}
	}

	private boolean operate() {
		Random random = random(4);
		int changes = random.nextInt(6);
		while (changes > 0 && !this.enqueued.get()) {
			List<UUID> jobs = List.copyOf(this.reference.committed());
			if (!jobs.isEmpty()) {
				change(jobs.get(random.nextInt(jobs.size())), random);
				changes--;
			}
			Thread.onSpinWait();
		}
		return true;
	}

	private void change(UUID job, Random random) {
		switch (random.nextInt(6)) {
			case 0 -> cancel(job, random);
			case 1 -> delete(job, random);
			case 2 -> release(job);
			case 3 -> this.database.purge();
			case 4 -> this.database.operations().reschedule(callbacks(), EARLIER.plusSeconds(random.nextInt(100)));
			default -> retry(job);
		}
	}

	private void cancel(UUID job, Random random) {
		this.reference.mayFail(job);
		List<EndedJob> ended = this.database.operations().cancel(job, this.graph.retention()).ended();
		if (!ended.isEmpty()) {
			resolve(EndedJob.predecessors(ended), random);
		}
	}

	private void delete(UUID job, Random random) {
		this.reference.mayFail(job);
		resolve(this.database.operations().delete(List.of(job)).predecessors(), random);
	}

	private void release(UUID job) {
		this.reference.independent(job);
		this.database.operations().release(job);
	}

	private void retry(UUID job) {
		this.reference.independent(job);
		this.database.operations().revive(List.of(job));
	}

	private long liveMembers(UUID batch) {
		return this.database.sql()
			.sql("SELECT count(*) FROM jobqueue_job WHERE batch_id = ?")
			.param(batch)
			.query(Long.class)
			.single();
	}

	private List<UUID> callbacks() {
		return this.graph.batch().callbacks().stream().map(NewJob::id).toList();
	}

	private long blockedCallbacks() {
		return this.database.sql()
			.sql("SELECT count(*) FROM jobqueue_job WHERE id = ANY (?::uuid[]) AND admission = 'PREDECESSORS'")
			.param(callbacks().toArray(UUID[]::new))
			.query(Long.class)
			.single();
	}

	private Map<UUID, Ended> states() {
		Map<UUID, Ended> states = new HashMap<>();
		this.database.sql()
			.sql("SELECT id, state, attempts FROM jobqueue_jobs WHERE id = ANY (?::uuid[])")
			.param(this.reference.committed().toArray(UUID[]::new))
			.query((ResultSet row) -> {
				states.put(row.getObject("id", UUID.class),
						new Ended(JobState.valueOf(row.getString("state")), row.getInt("attempts")));
			});
		return states;
	}

	/**
	 * Claims and runs jobs until it is killed; another one takes its place then.
	 */
	private final class Worker implements AutoCloseable {

		private final Random random;

		private final OpenTransaction transaction = GraphRun.this.database.transaction();

		private UUID id = GraphRun.this.database.worker();

		Worker(Random random) {
			this.random = random;
		}

		boolean claimAndRun() {
			List<ClaimedJob> jobs = GraphRun.this.database.claim(this.id, 1 + this.random.nextInt(4));
			if (jobs.isEmpty()) {
				return false;
			}
			jobs.forEach((job) -> GraphRun.this.reference.begins(job.id()));
			if (GraphRun.this.graph.kills() && this.random.nextInt(20) == 0) {
				GraphRun.this.database.kill(this.id);
				this.id = GraphRun.this.database.worker();
			}
			else {
				record(jobs);
			}
			return true;
		}

		private void record(List<ClaimedJob> jobs) {
			List<Outcome> outcomes = new ArrayList<>();
			jobs.forEach((job) -> outcomes.add(outcome(job)));
			var written = GraphRun.this.database.jobs()
				.recordOutcomes(this.id, outcomes, List.of(jobs.get(0).claim()), CompletionEffects.NONE);
			for (Outcome outcome : outcomes) {
				if (outcome instanceof Completed && written.jobs().contains(outcome.id())) {
					GraphRun.this.reference.hasSucceeded(outcome.id());
				}
			}
			resolve(written.predecessors(), this.random);
		}

		private Outcome outcome(ClaimedJob job) {
			return switch (this.random.nextInt(10)) {
				case 0 -> new RetryLater(job.id(), job.claim(), ZERO, "error", false);
				case 1 -> dead(job);
				case 2, 3 -> inTransaction(job);
				default -> completed(job);
			};
		}

		private Outcome dead(ClaimedJob job) {
			GraphRun.this.reference.mayFail(job.id());
			return new Dead(job.id(), job.claim(), "error", GraphRun.this.graph.retention());
		}

		private Completed completed(ClaimedJob job) {
			GraphRun.this.reference.maySucceed(job.id());
			return Completed.of(job, GraphRun.this.graph.retention(), null);
		}

		private Outcome inTransaction(ClaimedJob job) {
			Completed completed = completed(job);
			var written = this.transaction.jobs().complete(this.id, completed);
			boolean held = !written.jobs().isEmpty();
			this.transaction.end(held);
			if (!held) {
				return completed;
			}
			GraphRun.this.reference.hasSucceeded(job.id());
			resolve(written.predecessors(), this.random);
			return new CompletedInTransaction(job.id(), job.claim());
		}

		@Override
		public void close() {
			this.transaction.close();
		}

	}

}

package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.testpostgres.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Producers and workers without threads, who take turns in an order that a seed decides.
 */
final class ClaimCursorInterleaving implements AutoCloseable {

	private static final int STEPS = 120;

	private static final UUID SERVICE = new UUID(0, 1);

	private final PostgresStores stores;

	private final JdbcClient sql;

	private final long seed;

	private final Random random;

	private final boolean losesSignals;

	private final List<Node> nodes;

	private final List<LateProducer> producers;

	ClaimCursorInterleaving(TestDatabase database, PostgresStores stores, JdbcClient sql, long seed,
			boolean losesSignals) {
		this.stores = stores;
		this.sql = sql;
		this.seed = seed;
		this.random = new Random(seed);
		this.losesSignals = losesSignals;
		this.nodes = Stream.generate(Node::new).limit(3).toList();
		this.producers = Stream.generate(() -> new LateProducer(database.dataSource(), this.random, this::publish))
			.limit(3)
			.toList();
	}

	void run() {
		for (int step = 0; step < STEPS; step++) {
			step();
			assertNothingIsHidden("seed %d, step %d".formatted(this.seed, step));
		}
		for (LateProducer producer : this.producers) {
			producer.end(true);
		}
		assertEverythingIsFound();
	}

	/**
	 * A transaction that a failed test leaves open must not keep the next one waiting.
	 */
	@Override
	public void close() {
		this.producers.forEach(LateProducer::close);
	}

	private void step() {
		switch (this.random.nextInt(8)) {
			case 0, 1 -> any(this.producers).enqueue();
			case 2 -> any(this.producers).end(this.random.nextInt(4) > 0);
			case 3, 4, 5 -> any(this.nodes).claim();
			case 6 -> any(this.nodes).recordOutcomes();
			default -> reapOne();
		}
	}

	private void reapOne() {
		if (this.random.nextInt(5) == 0) {
			any(this.nodes).fallSilent();
			publish(this.stores.maintenance()
				.reap(null)
				.taken()
				.stream()
				.filter((reaped) -> !reaped.dead())
				.map(this::arrival)
				.toList());
		}
	}

	private JobsAvailable arrival(ReapedJobs reaped) {
		return new JobsAvailable(reaped.tier(), reaped.position(), Duration.ZERO);
	}

	private void publish(Collection<JobsAvailable> available) {
		for (Node node : this.nodes) {
			if (!this.losesSignals || this.random.nextBoolean()) {
				available.forEach(node.cursors::lower);
			}
		}
	}

	private <T> T any(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	/**
	 * No waiting job lies before a position, if all signals have been received.
	 */
	private void assertNothingIsHidden(String when) {
		if (!this.losesSignals) {
			this.sql.sql("SELECT priority, run_at, seq FROM jobqueue_job WHERE locked_by IS NULL").query((row) -> {
				Tier tier = new Tier("emails", row.getInt("priority"));
				JobPosition waits = new JobPosition(row.getObject("run_at", OffsetDateTime.class).toInstant(),
						row.getLong("seq"));
				this.nodes.forEach((node) -> assertThat(node.cursors.of("emails", 99).get(tier)).as(when)
					.isNotNull()
					.isLessThanOrEqualTo(waits));
			});
		}
	}

	/**
	 * One worker, whichever, finds all that waits.
	 */
	private void assertEverythingIsFound() {
		Node finder = any(this.nodes);
		if (this.losesSignals) {
			finder.scanBacklog();
		}
		long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		while (waiting() > 0 && System.nanoTime() < deadline) {
			finder.claim(() -> {
			});
		}
		assertThat(waiting())
			.as("jobs that wait below the positions %s, seed %d", finder.cursors.of("emails", 99), this.seed)
			.isZero();
	}

	private JobStore jobs() {
		return this.stores.jobs();
	}

	private long waiting() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_job WHERE locked_by IS NULL").query(Long.class).single();
	}

	/**
	 * A worker without threads.
	 */
	private final class Node {

		private final ClaimCursors cursors = new ClaimCursors((tier) -> true);

		private final List<ClaimedJob> held = new ArrayList<>();

		private UUID id = checkedIn();

		private long claims;

		Node() {
			scanBacklog();
		}

		private UUID checkedIn() {
			UUID worker = UUID.randomUUID();
			ClaimCursorInterleaving.this.stores.workers()
				.checkIn(new WorkerBuilder(worker).service(SERVICE).build(), false);
			return worker;
		}

		void scanBacklog() {
			this.cursors.reset(jobs().scanBacklog(List.of(new ServedQueue("emails", Set.of("mail"), 0, 99))));
		}

		/**
		 * Others go on after the positions were taken, and before they are raised.
		 */
		void claim() {
			claim(() -> any(ClaimCursorInterleaving.this.producers).end(true));
		}

		void claim(Interruption interruption) {
			int quota = 1 + ClaimCursorInterleaving.this.random.nextInt(6);
			ClaimRequest request = new ClaimRequestBuilder(++this.claims).free(quota)
				.positions(this.cursors.of("emails", 99))
				.build();
			interruption.happen();
			ClaimResult claimed = jobs().claim(this.id, request);
			interruption.happen();
			this.cursors.raise(request, claimed);
			this.held.addAll(claimed.jobs());
		}

		void recordOutcomes() {
			List<Outcome> outcomes = this.held.stream().map(this::outcome).toList();
			if (!outcomes.isEmpty()) {
				this.held.clear();
				publish(jobs().recordOutcomes(this.id, outcomes, List.of(), CompletionEffects.NONE).available());
			}
		}

		private Outcome outcome(ClaimedJob job) {
			return switch (ClaimCursorInterleaving.this.random.nextInt(3)) {
				case 0 -> Completed.of(job, Duration.ZERO, null);
				case 1 -> new RetryLater(job.id(), job.claim(), LateProducer.delay(ClaimCursorInterleaving.this.random),
						"failed", false);
				default -> new Released(job.id(), job.claim());
			};
		}

		void fallSilent() {
			ClaimCursorInterleaving.this.stores.workers().checkOut(this.id);
			this.held.clear();
			this.id = checkedIn();
		}

	}

	/**
	 * What others do meanwhile.
	 */
	private interface Interruption {

		void happen();

	}

}

package io.jobqueue.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.TestPool;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.Consequences;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobKeys;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;
import io.jobqueue.store.Position;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.ReapedJobs;
import io.jobqueue.store.ServedQueue;
import io.jobqueue.store.Stretch;
import io.jobqueue.store.Tier;
import io.jobqueue.store.Worker;
import io.jobqueue.store.jdbc.JdbcStores;
import io.jobqueue.store.jdbc.SchemaMigration;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Producers that commit late, workers that claim, complete, retry and release, and some
 * that are reaped, in a random order on several connections, where signals overtake
 * claims: whatever waits is found from the floors alone. Where signals are lost, the next
 * survey finds it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FloorInterleavingTests {

	private static final int STEPS = 120;

	private static final UUID SERVICE = new UUID(0, 1);

	private static final int[] PRIORITIES = { 0, 10, 30 };

	private final TestDatabase database = TestPostgres.freshDatabase();

	private final HikariDataSource pool = TestPool.of(this.database.dataSource(), 10);

	private final JdbcStores stores = JdbcStores.of(this.pool, this.pool, null);

	private final JdbcClient sql = JdbcClient.create(this.pool);

	private List<Node> nodes = List.of();

	private List<Producer> producers = List.of();

	private Random random = new Random(0);

	private boolean losesSignals;

	private int skips;

	@BeforeAll
	void migrate() {
		new SchemaMigration(this.database.dataSource(), null, true).afterPropertiesSet();
	}

	/**
	 * A transaction that a failed test leaves open must not keep the next one waiting.
	 */
	@AfterEach
	void close() {
		this.producers.forEach((producer) -> producer.connection.destroy());
	}

	@AfterAll
	void drop() {
		this.stores.close();
		this.pool.close();
		this.database.close();
		assertThat(this.skips).as("how often a worker went past what others had claimed").isGreaterThan(20);
	}

	@RepeatedTest(15)
	void nothingSlipsUnderAFloor() throws SQLException {
		run(System.nanoTime(), false);
	}

	@RepeatedTest(5)
	void surveyFindsWhatNoSignalToldOf() throws SQLException {
		run(System.nanoTime(), true);
	}

	private void run(long seed, boolean losesSignals) throws SQLException {
		this.random = new Random(seed);
		this.losesSignals = losesSignals;
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_worker, jobqueue_claim").update();
		this.nodes = Stream.generate(Node::new).limit(3).toList();
		this.producers = Stream.generate(Producer::new).limit(3).toList();
		for (int step = 0; step < STEPS; step++) {
			step();
			assertNothingIsHidden("seed %d, step %d".formatted(seed, step));
		}
		for (Producer producer : this.producers) {
			producer.end(true);
		}
		assertEverythingIsFound(seed);
	}

	private void step() throws SQLException {
		switch (this.random.nextInt(8)) {
			case 0, 1 -> any(this.producers).enqueue();
			case 2 -> any(this.producers).end(this.random.nextInt(4) > 0);
			case 3, 4, 5 -> any(this.nodes).claim();
			case 6 -> any(this.nodes).settle();
			default -> reapOne();
		}
	}

	private void reapOne() {
		if (this.random.nextInt(5) == 0) {
			any(this.nodes).fallSilent();
			tell(this.stores.maintenance()
				.reap()
				.taken()
				.stream()
				.filter((reaped) -> !reaped.dead())
				.map(this::arrival)
				.toList());
		}
	}

	private Arrival arrival(ReapedJobs reaped) {
		return new Arrival(reaped.tier(), reaped.position(), Duration.ZERO);
	}

	private void tell(Collection<Arrival> arrivals) {
		for (Node node : this.nodes) {
			if (!this.losesSignals || this.random.nextBoolean()) {
				arrivals.forEach(node.floors::lower);
			}
		}
	}

	private <T> T any(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	/**
	 * No job that waits stands before a floor, if all signals have been heard.
	 */
	private void assertNothingIsHidden(String when) {
		if (!this.losesSignals) {
			this.sql.sql("SELECT priority, run_at, seq FROM jobqueue_job WHERE locked_by IS NULL").query((row) -> {
				Tier tier = new Tier("emails", row.getInt("priority"));
				Position waits = new Position(row.getObject("run_at", OffsetDateTime.class).toInstant(),
						row.getLong("seq"));
				this.nodes.forEach((node) -> assertThat(node.floors.of("emails", 99).get(tier)).as(when)
					.isNotNull()
					.isLessThanOrEqualTo(waits));
			});
		}
	}

	/**
	 * One worker, whichever, finds all that waits.
	 */
	private void assertEverythingIsFound(long seed) throws SQLException {
		Node finder = any(this.nodes);
		if (this.losesSignals) {
			finder.survey();
		}
		long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
		while (waiting() > 0 && System.nanoTime() < deadline) {
			finder.claim(() -> {
			});
		}
		assertThat(waiting()).as("jobs that wait below the floors %s, seed %d", finder.floors.of("emails", 99), seed)
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

		private final Floors floors = new Floors((tier) -> true);

		private final List<ClaimedJob> held = new ArrayList<>();

		private UUID id = checkedIn();

		private long claims;

		Node() {
			survey();
		}

		private UUID checkedIn() {
			UUID worker = UUID.randomUUID();
			FloorInterleavingTests.this.stores.workers()
				.checkIn(new Worker(worker, "node", List.of("emails"), SERVICE, Duration.ofMinutes(1)), false);
			return worker;
		}

		void survey() {
			this.floors.surveyed(jobs().survey(List.of(new ServedQueue("emails", Set.of("mail"), 0, 99))));
		}

		/**
		 * Others go on after the floors were taken, and before they are raised.
		 */
		void claim() throws SQLException {
			claim(() -> any(FloorInterleavingTests.this.producers).end(true));
		}

		void claim(Interruption interruption) throws SQLException {
			skip();
			int quota = 1 + FloorInterleavingTests.this.random.nextInt(6);
			QueueDemand demand = new QueueDemand("emails", Set.of("mail"), Set.of(), ++this.claims, quota, 0, 25,
					Duration.ofHours(1), null, this.floors.of("emails", 99), ClusterLimits.NONE);
			interruption.happen();
			ClaimedJobs claimed = jobs().claim(this.id, demand);
			interruption.happen();
			this.floors.raise(demand, claimed);
			this.held.addAll(claimed.jobs());
		}

		private void skip() throws SQLException {
			Stretch stretch = this.floors.stretch("emails");
			if (stretch != null) {
				any(FloorInterleavingTests.this.producers).end(true);
				Position reached = jobs().skip(this.id, stretch);
				any(FloorInterleavingTests.this.producers).end(true);
				this.floors.skip(stretch, reached);
				FloorInterleavingTests.this.skips += reached.equals(stretch.from()) ? 0 : 1;
			}
		}

		void settle() {
			List<Outcome> outcomes = this.held.stream().map(this::outcome).toList();
			if (!outcomes.isEmpty()) {
				this.held.clear();
				tell(jobs().settle(this.id, outcomes, List.of(), Consequences.NONE).arrivals());
			}
		}

		private Outcome outcome(ClaimedJob job) {
			return switch (FloorInterleavingTests.this.random.nextInt(3)) {
				case 0 -> new Completed(job.id(), job.claim(), Duration.ZERO, null);
				case 1 -> new RetryLater(job.id(), job.claim(), delay(), "failed", false);
				default -> new Released(job.id(), job.claim());
			};
		}

		void fallSilent() {
			FloorInterleavingTests.this.stores.workers().checkOut(this.id);
			this.held.clear();
			this.id = checkedIn();
		}

	}

	/**
	 * A connection with a transaction that may stay open for long.
	 */
	private final class Producer {

		private final SingleConnectionDataSource connection = new SingleConnectionDataSource(open(), true);

		private final JobStore jobs = JdbcStores.of(this.connection, null, null).jobs();

		private final List<Arrival> arrivals = new ArrayList<>();

		private Connection open() {
			try {
				Connection opened = FloorInterleavingTests.this.database.dataSource().getConnection();
				opened.setAutoCommit(false);
				return opened;
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		void enqueue() {
			int count = 1 + FloorInterleavingTests.this.random.nextInt(5);
			this.arrivals.addAll(this.jobs.enqueue(Stream.generate(this::job).limit(count).toList()).arrivals());
		}

		private NewJob job() {
			int priority = PRIORITIES[FloorInterleavingTests.this.random.nextInt(PRIORITIES.length)];
			return new NewJob(UUID.randomUUID(), "emails", "mail", Encoded.ofText("{}"), priority, null, delay(), null,
					null, null, JobKeys.NONE);
		}

		void end(boolean commit) throws SQLException {
			Connection target = this.connection.getConnection();
			if (commit) {
				target.commit();
				tell(this.arrivals);
			}
			else {
				target.rollback();
			}
			this.arrivals.clear();
		}

	}

	private Duration delay() {
		return Duration.ofMillis(this.random.nextBoolean() ? 0 : this.random.nextInt(30));
	}

	/**
	 * What others do meanwhile.
	 */
	private interface Interruption {

		void happen() throws SQLException;

	}

}

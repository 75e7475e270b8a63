package io.jobqueue.nodes;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeMain;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.testpostgres.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight workers in JVMs of their own that share the slots of a limit key and take turns
 * in an ordering key, of which those are killed that hold them.
 */
@Tag("slow") // starts eight JVMs
class SharedKeysTests extends NodeTestBase {

	private static final int WORKERS = 8;

	private static final int SLOTS = 3;

	private static final Duration OFTEN = Duration.ofMillis(500);

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private UUID ordered = UUID.randomUUID();

	@Test
	void keysAreKeptWhereWorkersAreKilled() throws SQLException {
		Connection blocker = closeLater(this.database.directDataSource().getConnection());
		execute(blocker, "SELECT pg_advisory_lock(1)");
		List<ChildJvm> workers = startAll();
		enqueue();
		awaitHolders().forEach((name) -> workers.get(Integer.parseInt(name)).kill());
		execute(blocker, "SELECT pg_advisory_unlock(1)");
		Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(this::isDoneWithinLimits);
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED'")).isEqualTo(122);
		assertThat(finishedInOrder()).isSorted().hasSize(61);
		assertThat(column("attempts", this.ordered, Integer.class)).isEqualTo(2);
	}

	private List<ChildJvm> startAll() {
		List<ChildJvm> workers = new ArrayList<>();
		for (int number = 0; number < WORKERS; number++) {
			workers.add(closeLater(NodeMain.launch(this.database, String.valueOf(number), OFTEN, SLOTS)));
		}
		workers.forEach((worker) -> worker.awaitLine("STARTED", PATIENCE));
		return workers;
	}

	/**
	 * The first of each key waits until the test releases the lock.
	 */
	private void enqueue() {
		JobRequest slow = JobRequest.of("emails", new Mail("1"));
		JobRequest quick = JobRequest.of("emails", new Mail("hi"));
		List<JobReceipt> all = producer().queue()
			.enqueueAll(Stream.concat(Stream.of(slow.orderedBy("a"), slow.limitedBy("slot")),
					Stream.generate(() -> List.of(quick.orderedBy("a"), quick.limitedBy("slot")))
						.limit(60)
						.flatMap(List::stream))
				.toList());
		this.ordered = all.get(0).id();
	}

	/**
	 * Return the workers that have the first of each key, when both have begun.
	 */
	private List<String> awaitHolders() {
		Awaitility.await().atMost(PATIENCE).until(() -> count("""
				pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""") == 2);
		return this.sql.sql("""
				SELECT DISTINCT w.name FROM jobqueue_job j JOIN jobqueue_worker w ON w.id = j.locked_by
				WHERE j.payload LIKE '%1%'
				""").query(String.class).list();
	}

	private boolean isDoneWithinLimits() {
		assertThat(count("jobqueue_job WHERE limit_key IS NOT NULL AND locked_by IS NOT NULL"))
			.isLessThanOrEqualTo(SLOTS);
		assertThat(count("jobqueue_job WHERE ordering_key IS NOT NULL AND locked_by IS NOT NULL"))
			.isLessThanOrEqualTo(1);
		return count("jobqueue_job") == 0;
	}

	private List<Long> finishedInOrder() {
		return this.sql.sql("SELECT seq FROM jobqueue_archive WHERE ordering_key IS NOT NULL ORDER BY finished_at, seq")
			.query(Long.class)
			.list();
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}

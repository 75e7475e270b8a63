package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The statements that schedules cost, beside the claims and completions of their jobs.
 */
@Tag("slow") // counts the statements of several ticks
class TickCostTests extends NodeTestBase {

	private static final int NODES = 3;

	private static final int TICKS = 8;

	private static final String TWICE_A_SECOND = "500, now() + interval '2 seconds'";

	private static final String LATER = "3600000, now() + interval '1 hour' + n * interval '1 millisecond'";

	private final CountingDataSource counted = new CountingDataSource(this.pool);

	private final CountingDataSource countedSignals = new CountingDataSource(this.database.directDataSource());

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void resetStatements() {
		this.runs.set(0);
		forget();
	}

	private void forget() {
		this.counted.sent().clear();
		this.countedSignals.sent().clear();
	}

	@Test
	void tickCostsAScanOfEachNodeATickAndASignal() {
		assertThatTicksCostFewStatements(1);
	}

	@Test
	void hundredDueSchedulesOfManyCostWhatOneCosts() {
		insert(99_900, LATER);
		assertThatTicksCostFewStatements(100);
	}

	/**
	 * A node that scans while the tick of another one is not yet committed tries to write
	 * it as well: with three nodes, a tick costs 5 statements, and at most 9. At the end,
	 * another tick may have begun. The listener of each node has sent a test signal.
	 */
	private void assertThatTicksCostFewStatements(int due) {
		startNodes();
		insert(due, TWICE_A_SECOND);
		awaitRuns(due * TICKS);
		List<String> sent = statements();
		int ticks = this.sql.sql("SELECT max(version) FROM jobqueue_recurring").query(Integer.class).single();
		int writes = count(sent, "INSERT INTO jobqueue_job");
		int signals = count(sent, "pg_notify");
		int first = 2 * NODES;
		String text = "%d ticks: %s".formatted(ticks, sent);
		assertThat(sent.size() - writes - signals).as("scans for " + text)
			.isBetween(ticks, first + NODES * (ticks + 1));
		assertThat(writes).as("writes for " + text).isBetween(ticks, NODES * (ticks + 1));
		assertThat(signals).as("signals for " + text).isBetween(1, NODES + writes);
	}

	private static int count(List<String> sent, String part) {
		return (int) sent.stream().filter((text) -> text.contains(part)).count();
	}

	/**
	 * From its second heartbeat on, each node has a rank of its own. Its first one leads
	 * to a sweep and a scan.
	 */
	private void startNodes() {
		for (int node = 0; node < NODES; node++) {
			started();
		}
		awaitHeartbeats(3 * NODES);
	}

	@Test
	void schedulesWithoutATickSendNoStatement() {
		QueueNode node = started();
		await().until(node.remoteSignals()::isConnected);
		forget();
		node.recurring().save(digest().cron("0 0 0 1 1 *"));
		await().until(() -> all().anyMatch((text) -> text.contains("pg_notify")));
		awaitHeartbeats(2);
		forget();
		awaitHeartbeats(2);
		assertThat(statements()).isEmpty();
	}

	private void awaitHeartbeats(int number) {
		long before = heartbeats();
		await().until(() -> heartbeats() >= before + number);
	}

	private long heartbeats() {
		return all().filter(TickCostTests::isHeartbeat).count();
	}

	private void insert(int count, String timing) {
		this.sql.sql("""
				INSERT INTO jobqueue_recurring (name, version, queue, type, payload, misfire, overlap, jitter_millis,
				    declared, anchor_at, rate_millis, next_at)
				SELECT gen_random_uuid(), 0, 'emails', 'mail', '{"text": "x"}', 'ONCE', 'ALLOW', 0, false, now(), %s
				FROM generate_series(1, %d) n
				""".formatted(timing, count)).update();
	}

	private List<String> statements() {
		return all()
			.filter((text) -> (text.contains("jobqueue_recurring") && !isHeartbeat(text)) || text.contains("pg_notify"))
			.toList();
	}

	private Stream<String> all() {
		return Stream.concat(this.counted.sent().stream(), this.countedSignals.sent().stream());
	}

	private static boolean isHeartbeat(String text) {
		return text.contains("jobqueue_worker");
	}

	private static RecurringJobRequest digest() {
		return RecurringJobRequest.of("digest", JobRequest.of("emails", new Mail("digest")));
	}

	private void awaitRuns(int number) {
		await().until(() -> this.runs.get() >= number);
	}

	private QueueNode started() {
		return node(settings(this.counted).neverPolls()
			.timeout(Duration.ofSeconds(3))
			.listensOn(this.countedSignals)
			.handler((mail, job) -> this.runs.incrementAndGet())).start();
	}

}

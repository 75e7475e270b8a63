package io.jobqueue.recurring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
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
class TickCostTests extends NodeTestBase {

	private static final int NODES = 3;

	private static final int TICKS = 5;

	private final CountingDataSource counted = new CountingDataSource(this.pool);

	private final CountingDataSource countedSignals = new CountingDataSource(this.database.directDataSource());

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void countAnew() {
		this.runs.set(0);
		forget();
	}

	private void forget() {
		this.counted.sent().clear();
		this.countedSignals.sent().clear();
	}

	/**
	 * On a busy machine, two nodes may try to write a tick: the cheapest one counts.
	 */
	@Test
	void tickCostsAScanOfEachNodeATickAndASignal() {
		List<QueueNode> nodes = Stream.generate(this::started).limit(NODES).toList();
		await().until(() -> nodes.stream().allMatch((node) -> node.remoteSignals().isConnected()));
		nodes.get(0).recurring().save(digest().fixedRate(Duration.ofSeconds(1)));
		awaitRuns(2);
		List<Integer> costs = new ArrayList<>();
		for (int tick = 0; tick < TICKS; tick++) {
			int before = this.runs.get();
			forget();
			awaitRuns(before + 1);
			costs.add(statements().size());
		}
		assertThat(Collections.min(costs)).as("statements of each tick: %s", costs).isBetween(2, NODES + 2);
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

	@Test
	void hundredDueSchedulesOfManyCostFewStatements() {
		insert(99_900, "now() + interval '1 hour' + n * interval '1 millisecond'");
		insert(100, "now() + interval '1 second'");
		started();
		await().until(() -> count("jobqueue_archive") == 100);
		assertThat(this.runs).hasValue(100);
		assertThat(statements()).as("%s", statements()).hasSizeLessThanOrEqualTo(10);
	}

	private void insert(int count, String nextAt) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_recurring (name, version, queue, type, payload, rate_millis, misfire, overlap,
					    jitter_millis, declared, anchor_at, next_at)
					SELECT gen_random_uuid(), 0, 'emails', 'mail', '{"text": "x"}', 3600000, 'ONCE', 'SKIP', 0, false, now(), %s
					FROM generate_series(1, %d) n
					"""
				.formatted(nextAt, count))
			.update();
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

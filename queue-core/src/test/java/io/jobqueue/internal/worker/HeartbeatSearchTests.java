package io.jobqueue.internal.worker;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;

import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.harness.WorkerSettingsBuilder;
import io.jobqueue.internal.signal.EmptyTables;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.worker.Heartbeat.Activity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats that also search for anything to do.
 */
class HeartbeatSearchTests extends NodeTestBase {

	private static final Duration RARELY = Duration.ofMinutes(10);

	private final List<String> calls = new ArrayList<>();

	private JobSignals signals;

	private boolean idle;

	private Runnable duringSearch = () -> {
	};

	@BeforeEach
	void reset() {
		this.calls.clear();
		this.signals = new JobSignals();
		this.idle = true;
		this.duringSearch = () -> {
		};
	}

	@Test
	@Tag("slow") // waits for a heartbeat
	void jobWhoseSignalIsLostIsFoundByTheNextHeartbeat() {
		QueueNode node = started(
				(settings) -> settings.neverPolls().listensOn(this.database.directDataSource()).handler((mail, job) -> {
				}));
		EmptyTables tables = node.workerServices().signals().tables();
		await().until(() -> tables.areEmpty(RARELY));
		UUID job = producer().queue().enqueue("emails", new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void workerThatIsIdleSearchesOnceItIsRegistered() {
		Heartbeat heartbeat = heartbeat();
		heartbeat.run();
		assertThat(this.calls).containsExactly("register");
		await().until(() -> {
			heartbeat.run();
			return Collections.frequency(this.calls, "checkInAndSearch") == 2;
		});
	}

	/**
	 * Such a heartbeat, of a puller for example, does not hide what that of a worker has
	 * found.
	 */
	@Test
	void workerThatIsNotIdleDoesNotSearch() {
		this.idle = false;
		findNothing();
		beat(heartbeat(), 2);
		assertThat(this.calls).containsExactly("register", "checkIn");
		assertThat(this.signals.tables().areEmpty(RARELY)).isTrue();
	}

	@Test
	void searchThatFailsIsNotRepeatedAtOnce() {
		this.duringSearch = () -> {
			throw new QueryTimeoutException("The search takes too long");
		};
		findNothing();
		beat(heartbeat(), 4);
		assertThat(this.calls).containsExactly("register", "checkInAndSearch", "checkIn", "checkIn");
		assertThat(this.signals.tables().areEmpty(RARELY)).isFalse();
	}

	private void findNothing() {
		this.signals.tables().checkedIn(true, System.nanoTime());
	}

	@Test
	void searchThatIsSlowIsNotRepeatedAtOnce() {
		long begun = System.nanoTime();
		this.duringSearch = () -> await().pollInterval(Duration.ofMillis(10))
			.until(() -> System.nanoTime() - begun > Duration.ofMillis(200).toNanos());
		beat(heartbeat(), 3);
		assertThat(this.calls).containsExactly("register", "checkInAndSearch", "checkIn");
	}

	private static void beat(Heartbeat heartbeat, int times) {
		for (int time = 0; time < times; time++) {
			heartbeat.run();
		}
	}

	private Heartbeat heartbeat() {
		WorkerServices all = node(settings()).workerServices();
		WorkerServices services = new WorkerServices(all.jobs(), all.batches(), store(), all.statistics(),
				all.handlers(), all.transactionManager(), all.transactions(), this.signals, all.events(), all.context(),
				all.ticker(), all.subscriptions(), all.results(), () -> true, all.times());
		return new Heartbeat(new WorkerBuilder(UUID.randomUUID()).build(), services,
				new WorkerSettingsBuilder().build(), new Activity(List::of, List::of, List::of, () -> this.idle), null);
	}

	private WorkerStore store() {
		return (WorkerStore) Proxy.newProxyInstance(WorkerStore.class.getClassLoader(),
				new Class<?>[] { WorkerStore.class }, (proxy, called, arguments) -> answer(called.getName()));
	}

	private Object answer(String called) {
		if (called.equals("differing")) {
			return List.of();
		}
		this.calls.add(called);
		if (called.equals("checkInAndSearch")) {
			this.duringSearch.run();
		}
		return new CheckInResult(!called.equals("register"), 0, 1, Instant.now(), Set.of(), 0, 0, null, false);
	}

}

package io.jobqueue.internal.dependency;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome.Completed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the thread does if a statement fails, or a row is locked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DependencyThreadTests {

	private final GraphDatabase database = new GraphDatabase();

	private final AtomicInteger resolved = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private JobSignals signals = new JobSignals();

	private DependencyThread thread = start();

	private DependencyThread start() {
		DependencyStore store = this.database.dependencies();
		DependencyStore failing = (DependencyStore) Proxy.newProxyInstance(DependencyStore.class.getClassLoader(),
				new Class<?>[] { DependencyStore.class }, (proxy, method, arguments) -> call(store, method, arguments));
		return new DependencyThread(this.database.resolver(failing, null), this.signals, "node");
	}

	private Object call(DependencyStore store, Method method, Object[] arguments) throws Throwable {
		if (method.getName().equals("resolve")) {
			this.resolved.incrementAndGet();
		}
		if (method.getName().equals("release") && this.failures.getAndDecrement() > 0) {
			throw new IllegalStateException("The connection is closed");
		}
		try {
			return method.invoke(store, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	@BeforeEach
	void begin() {
		this.database.empty();
		this.thread.close();
		this.signals = new JobSignals();
		this.thread = start();
		this.resolved.set(0);
	}

	@AfterEach
	void end() {
		this.thread.close();
	}

	@AfterAll
	void drop() {
		this.database.close();
	}

	private static NewJob job(UUID... predecessors) {
		return new NewJobBuilder().queue(Graph.QUEUE).after(OnPredecessorFailure.WAIT, predecessors).build();
	}

	private static Completed completed(ClaimedJob job) {
		return Completed.of(job, null, null);
	}

	private NewJob enqueue(NewJob job) {
		this.signals.publishPredecessors(this.database.jobs().enqueue(List.of(job)).predecessors());
		return job;
	}

	private void awaitReady(NewJob job) {
		Awaitility.await().untilAsserted(() -> assertThat(state(job)).isEqualTo("READY"));
	}

	private String state(NewJob job) {
		return this.database.sql()
			.sql("SELECT state FROM jobqueue_jobs WHERE id = ?")
			.param(job.id())
			.query(String.class)
			.single();
	}

	/**
	 * The end of the predecessor is recorded by then.
	 */
	@Test
	void releaseThatFailsIsRepeated() {
		NewJob first = enqueue(job());
		NewJob second = enqueue(job(first.id()));
		Awaitility.await().until(() -> this.resolved.get() == 1);
		UUID worker = this.database.worker();
		List<ClaimedJob> claimed = this.database.claim(worker, 1);
		this.failures.set(1);
		this.signals.publishPredecessors(this.database.jobs()
			.recordOutcomes(worker, List.of(completed(claimed.get(0))), List.of(), CompletionEffects.NONE)
			.predecessors());
		awaitReady(second);
	}

	/**
	 * The last completions of a worker are published just before the thread is closed.
	 */
	@Test
	void whatWasPublishedIsResolvedBeforeTheStop() {
		NewJob first = enqueue(job());
		NewJob second = enqueue(job(first.id()));
		Awaitility.await().until(() -> this.resolved.get() == 1);
		UUID worker = this.database.worker();
		ClaimedJob claimed = this.database.claim(worker, 1).get(0);
		this.signals.publishPredecessors(this.database.jobs()
			.recordOutcomes(worker, List.of(completed(claimed)), List.of(), CompletionEffects.NONE)
			.predecessors());
		this.thread.close();
		assertThat(state(second)).isEqualTo("READY");
	}

	/**
	 * However many other predecessors are published, a locked one is retried with pauses.
	 */
	@Test
	void lockedPredecessorIsRetriedWithPauses() {
		NewJob first = enqueue(job());
		UUID worker = this.database.worker();
		ClaimedJob claimed = this.database.claim(worker, 1).get(0);
		try (OpenTransaction transaction = this.database.transaction()) {
			transaction.jobs().complete(worker, completed(claimed));
			NewJob second = enqueue(job(first.id()));
			for (int other = 0; other < 50; other++) {
				int before = this.resolved.get();
				this.signals.publishPredecessors(List.of(UUID.randomUUID()));
				Awaitility.await()
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(2))
					.until(() -> this.resolved.get() > before);
			}
			int before = this.resolved.get();
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.atMost(Duration.ofSeconds(5))
				.until(() -> this.resolved.get() < before + 10);
			transaction.end(true);
			awaitReady(second);
		}
	}

}

package io.jobqueue.internal.context;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.payload.Headers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values of thread locals travel with a job.
 */
class ThreadLocalTests extends NodeTestBase {

	private static final String KEY = "test.tenant";

	private static final ThreadLocal<Object> TENANT = new ThreadLocal<>();

	private final List<Object> seen = new CopyOnWriteArrayList<>();

	@BeforeEach
	void register() {
		this.seen.clear();
		ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, TENANT::get, TENANT::set, TENANT::remove);
	}

	@AfterEach
	void cleanUp() {
		ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
		TENANT.remove();
	}

	@Test
	void chosenValueIsSetDuringTheHandlerOnly() {
		QueueNode node = started(
				(settings) -> settings.concurrency(1).contextKeys(KEY).handler((mail, job) -> recordTenant()));
		TENANT.set("acme");
		node.queue().enqueue(new Mail("hi"));
		await().until(() -> this.seen.size() == 1);
		TENANT.remove();
		node.queue().enqueue(new Mail("hi"));
		await().until(() -> this.seen.size() == 2);
		assertThat(this.seen).containsExactly("acme", "nothing");
	}

	@Test
	void valueThatWasNotChosenStays() {
		QueueNode node = started(
				(settings) -> settings.contextKeys("test.other").handler((mail, job) -> recordTenant()));
		TENANT.set("acme");
		node.queue().enqueue(new Mail("hi"));
		await().until(() -> this.seen.size() == 1);
		assertThat(this.seen).containsExactly("nothing");
	}

	@Test
	void valueThatIsNoTextIsNotSentAndWarnedOfOnce() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.contextKeys(KEY).handler((mail, job) -> recordTenant()));
			TENANT.set(List.of("acme"));
			node.queue().enqueue(new Mail("hi"));
			node.queue().enqueue(new Mail("hi"));
			await().until(() -> this.seen.size() == 2);
			assertThat(this.seen).containsOnly("nothing");
			assertThat(log.messages("'test.tenant' is not passed on")).hasSize(1);
		}
	}

	@Test
	void valueWithoutAnAccessorIsLeftOut() {
		QueueNode node = started((settings) -> settings.contextKeys(KEY).handler((mail, job) -> recordTenant()));
		TENANT.set("acme");
		UUID job = node.transaction().execute((status) -> {
			UUID id = node.queue().enqueue(new Mail("hi")).id();
			ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
			return id;
		});
		awaitState(job, "SUCCEEDED");
		assertThat(this.seen).containsExactly("nothing");
	}

	@Test
	void failingAccessorDoesNotFailTheRun() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, () -> "acme", (value) -> {
			throw new IllegalStateException("no");
		}, TENANT::remove);
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.contextKeys(KEY).handler((mail, job) -> recordTenant()));
			UUID job = node.queue().enqueue(new Mail("hi")).id();
			awaitState(job, "SUCCEEDED");
			assertThat(log.messages("Could not set or restore")).hasSize(1);
		}
	}

	@Test
	void previousValueIsRestored() {
		TENANT.set("before");
		CallerContext context = new CallerContext(List.of(), List.of());
		String headers = Headers.encode(Map.of("jobqueue.context." + KEY, "acme"));
		context.within(new ClaimedJobBuilder().headers(headers).build(), this::recordTenant);
		assertThat(this.seen).containsExactly("acme");
		assertThat(TENANT.get()).isEqualTo("before");
	}

	private void recordTenant() {
		Object value = TENANT.get();
		this.seen.add((value != null) ? value : "nothing");
	}

}

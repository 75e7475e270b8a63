package io.jobqueue.internal.event;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobEnqueued;
import io.jobqueue.JobEvent;
import io.jobqueue.JobRequest;
import io.jobqueue.JobSucceeded;
import io.jobqueue.harness.BlockedHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How listeners are called, and what they can do to the queue: nothing.
 */
class ListenerTests extends NodeTestBase {

	private static final MailHandler.Behaviour SUCCEEDING = (mail, job) -> {
	};

	private RecordedEvents events = new RecordedEvents();

	private BlockedHandler blocked = new BlockedHandler();

	@BeforeEach
	void blockHandlers() {
		this.events = new RecordedEvents();
		this.blocked = new BlockedHandler();
	}

	@AfterEach
	void releaseHandlers() {
		this.blocked.release();
	}

	@Test
	void exceptionOfAListenerIsLoggedAndTheOthersAreCalled() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = started((settings) -> settings.handler(SUCCEEDING).bean(new First((event) -> {
				throw new IllegalStateException("listeners may err");
			})).bean(this.events)).queue().enqueue(new Mail("hi")).id();
			awaitState(job, "SUCCEEDED");
			await().until(() -> this.events.all().size() == 2);
			assertThat(log.messages(" of Job[" + job)).hasSize(2)
				.allMatch((line) -> line.contains(First.class.getName()));
			assertThat(log.text()).contains("listeners may err");
		}
	}

	@Test
	void exceptionThatCannotBePrintedAffectsNoOtherEvent() {
		QueueNode node = started((settings) -> settings.handler(SUCCEEDING).bean(new First((event) -> {
			if (event.job().headers().containsKey("odd")) {
				throw new Unspeakable();
			}
		})).bean(this.events));
		node.queue()
			.enqueueAll(List.of(JobRequest.of(new Mail("odd")).header("odd", "yes"), JobRequest.of(new Mail("hi"))));
		await().until(
				() -> this.events.of(JobSucceeded.class).stream().anyMatch((event) -> event.job().headers().isEmpty()));
		assertThat(this.events.of(JobEnqueued.class)).anyMatch((event) -> event.job().headers().isEmpty());
	}

	@Test
	void slowListenerDelaysNoJob() throws InterruptedException {
		QueueNode node = started(
				(settings) -> settings.handler(SUCCEEDING).bean(new First((event) -> block())).bean(this.events));
		node.queue().enqueue(new Mail("hi"));
		this.blocked.awaitBegun();
		node.queue().enqueueAll(mails(3_000));
		await().until(() -> count("jobqueue_archive") == 3_001);
		this.blocked.release();
		await().until(() -> this.events.all().size() == 6_002);
	}

	@Test
	void listenerMayEnqueueAndWaitForTheOutcome() throws InterruptedException {
		QueueNode[] node = new QueueNode[1];
		CountDownLatch done = new CountDownLatch(1);
		node[0] = started((settings) -> settings.handler(SUCCEEDING).bean(new OfSuccess((event) -> {
			if (count("jobqueue_archive") == 1) {
				awaitState(node[0].queue().enqueue(new Mail("second")).id(), "SUCCEEDED");
				done.countDown();
			}
		})));
		node[0].queue().enqueue(new Mail("first"));
		assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void listenersAreCalledOnOneThreadOutsideAnyTransaction() {
		List<String> threads = new CopyOnWriteArrayList<>();
		QueueNode node = started((settings) -> settings.name("here").handler(SUCCEEDING).bean(new First((event) -> {
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
			threads.add(Thread.currentThread().getName());
		})));
		node.transaction().executeWithoutResult((status) -> node.queue().enqueue(new Mail("hi")));
		await().until(() -> threads.size() == 2);
		assertThat(threads).containsOnly("jobqueue@here-events-1");
	}

	@Test
	void eventsBeforeTheStartArePublishedThen() {
		QueueNode node = node(settings().bean(this.events));
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		assertThat(this.events.all()).isEmpty();
		node.start();
		await().until(() -> this.events.all().size() == 1);
		assertThat(this.events.all().get(0).job().id()).isEqualTo(job);
	}

	@Test
	void stopWaitsForPendingEvents() throws InterruptedException {
		QueueNode node = started((settings) -> settings.bean(new First((event) -> block())).bean(this.events));
		node.queue().enqueueAll(mails(10));
		this.blocked.awaitBegun();
		Thread stopping = new Thread(node.events()::stop);
		stopping.start();
		await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		this.blocked.release();
		stopping.join();
		assertThat(this.events.all()).hasSize(10);
	}

	@Test
	void startAndStopMayBeRepeated() {
		QueueNode node = started((settings) -> settings.bean(this.events));
		node.events().stop();
		node.queue().enqueue("emails", new Mail("without an event"));
		node.events().start();
		UUID job = node.queue().enqueue("emails", new Mail("hi")).id();
		await().until(() -> !this.events.all().isEmpty());
		assertThat(this.events.all()).extracting((event) -> event.job().id()).containsExactly(job);
	}

	@Test
	void listenersWithoutAnAnnotationAreCalledToo() {
		Classic classic = new Classic();
		started((settings) -> settings.bean(classic)).queue().enqueue("emails", new Mail("hi"));
		await().until(() -> classic.events.size() == 1);
	}

	@Test
	void listenersMayBeAddedLater() {
		QueueNode node = started((settings) -> settings.handler(SUCCEEDING));
		awaitState(node.queue().enqueue(new Mail("without an event")).id(), "SUCCEEDED");
		Classic classic = new Classic();
		node.context().addApplicationListener(classic);
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		await().until(() -> !classic.events.isEmpty());
		assertThat(classic.events).extracting((event) -> event.job().id()).containsExactly(job);
	}

	@Test
	void nothingIsPreparedWithoutListeners() {
		JobEvents all = started((settings) -> settings.bean(this.events)).events();
		assertThat(all.areWanted(JobEnqueued.class)).isTrue();
		assertThat(all.areWanted(JobSucceeded.class)).isTrue();
		JobEvents some = started((settings) -> settings.bean(new OfSuccess((event) -> {
		}))).events();
		assertThat(some.areWanted(JobEnqueued.class)).isFalse();
		assertThat(some.areWanted(JobSucceeded.class)).isTrue();
		assertThat(started((settings) -> settings).events().areWanted(JobSucceeded.class)).isFalse();
	}

	private void block() {
		try {
			this.blocked.block();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static List<JobRequest> mails(int count) {
		return Stream.generate(() -> JobRequest.of("emails", new Mail("hi"))).limit(count).toList();
	}

	/**
	 * The first of all listeners.
	 */
	record First(Consumer<JobEvent> behaviour) {

		@EventListener
		@Order(1)
		void on(JobEvent event) {
			this.behaviour.accept(event);
		}

	}

	record OfSuccess(Consumer<JobSucceeded> behaviour) {

		@EventListener
		void on(JobSucceeded event) {
			this.behaviour.accept(event);
		}

	}

	private static final class Classic implements ApplicationListener<PayloadApplicationEvent<JobEnqueued>> {

		private final List<JobEnqueued> events = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<JobEnqueued> event) {
			this.events.add(event.getPayload());
		}

	}

	@SuppressWarnings("serial")
	private static final class Unspeakable extends RuntimeException {

		@Override
		public String getMessage() {
			throw new UnsupportedOperationException("not even this");
		}

	}

}

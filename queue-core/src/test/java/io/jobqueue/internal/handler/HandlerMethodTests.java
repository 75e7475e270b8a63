package io.jobqueue.internal.handler;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.core.annotation.AliasFor;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which methods handle what, and what they are given.
 */
class HandlerMethodTests extends NodeTestBase {

	private static final BlockingQueue<String> CALLS = new LinkedBlockingQueue<>();

	private static final Reset RESET = new Reset(List.of("a", "b"));

	@BeforeEach
	void forget() {
		CALLS.clear();
	}

	@Test
	void annotatedClassHandlesWithEveryMethodOfThatName() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new AllOfOneClass()));
		node.queue().enqueue("emails", new Mail("hi"));
		assertThat(nextCall()).isEqualTo("mail hi");
		UUID job = node.queue().enqueue("emails", RESET).id();
		assertThat(nextCall()).isEqualTo("reset [a, b] " + job);
	}

	@Test
	void privateMethodOfThatNameHandlesNothing() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new AllOfOneClass()));
		node.registry().register("emails", Parcel.class, (parcel, job) -> {
			CALLS.add("registered " + parcel.weight());
			return JobResult.success();
		});
		node.queue().enqueue("emails", new Parcel(1));
		assertThat(nextCall()).isEqualTo("registered 1");
	}

	@Test
	void inheritedMethodHandlesWhatItsSubclassSaysOfItsType() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new MailsOfABase()));
		node.queue().enqueue("inherited", new Mail("hi"));
		assertThat(nextCall()).isEqualTo("inherited " + new Mail("hi"));
	}

	@Test
	void methodOfAGenericInterfaceHandlesOnlyWhatItsClassSaysOfItsType() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new MailReceiver()));
		node.queue().enqueue("received", new Mail("hi"));
		assertThat(nextCall()).isEqualTo("received hi");
	}

	/**
	 * The compiler adds a bridge to the public class, without the type arguments of the
	 * payload.
	 */
	@Test
	void publicMethodsInheritedFromAPackagePrivateClassHandle() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new PublicShelf()));
		node.queue().enqueue("shelf", new Box<>(new Parcel(2)));
		assertThat(nextCall()).isEqualTo("stored 2");
		node.queue().enqueue("rack", new Box<>(new Parcel(3)));
		assertThat(nextCall()).isEqualTo("racked 3");
	}

	@Test
	void payloadsWithoutAClassAreDistinguishedByTheirTypes() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new ByType()));
		node.queue().enqueue(JobRequest.of("types", Map.of("card", 7)).type("charge"));
		assertThat(nextCall()).isEqualTo("charge {card=7}");
		node.queue().enqueue(JobRequest.of("types", JsonNodeFactory.instance.arrayNode().add(1)).type("list"));
		assertThat(nextCall()).isEqualTo("list [1]");
		node.queue().enqueue(JobRequest.of("types", "beep").type("fax"));
		assertThat(nextCall()).isEqualTo("fax beep");
	}

	@Test
	void annotationMayBeComposedAndNameItsQueueByAPlaceholder() throws Exception {
		System.setProperty("test.queue", "from-property");
		try {
			QueueNode node = started((settings) -> settings.bean(new Composed()));
			node.queue().enqueue("from-property", new Mail("hi"));
			assertThat(nextCall()).isEqualTo("composed hi");
		}
		finally {
			System.clearProperty("test.queue");
		}
	}

	@Test
	void queueOfTheMethodBeatsThatOfTheClass() throws Exception {
		QueueNode node = started((settings) -> settings.bean(new OwnQueue()));
		node.queue().enqueue("own", new Mail("hi"));
		assertThat(nextCall()).isEqualTo("own hi");
	}

	@Test
	void handlerThatEnqueueWouldNeverReachIsWarnedOf() {
		try (CapturedLog log = new CapturedLog()) {
			node(settings().bean(new Unreachable()));
			assertThat(log.messages("enqueue(payload) sends that type to queue 'default'")).hasSize(2);
		}
	}

	@Test
	void payloadIsNeverWrittenToTheLog() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = node(settings().bean(new ByType()).maxAttempts(1));
			UUID job = node.queue().enqueue("types", new Parcel(1)).id();
			this.sql.sql("UPDATE jobqueue_job SET payload = '{\"weight\":\"s3cret\"}'").update();
			node.start();
			await().until(() -> log.steps(job.toString()).contains("dead"));
			assertThat(log.text()).contains("of type 'Parcel' cannot be read")
				.contains("weight")
				.doesNotContain("s3cret");
		}
	}

	private static String nextCall() throws InterruptedException {
		return CALLS.poll(30, TimeUnit.SECONDS);
	}

	record Reset(List<String> names) {
	}

	record Parcel(int weight) {
	}

	@JobHandler(queue = "emails")
	static final class AllOfOneClass {

		void handle(Mail mail) {
			CALLS.add("mail " + mail.text());
		}

		String handle(JobContext job, Reset reset) {
			CALLS.add("reset " + reset.names() + " " + job.id());
			return "anything is success";
		}

		void other(String ignored) {
			CALLS.add("other");
		}

		@SuppressWarnings("unused")
		private void handle(Parcel parcel) {
			CALLS.add("private " + parcel.weight());
		}

	}

	static final class ByType {

		@JobHandler(queue = "types", type = "charge")
		void charge(Map<String, Integer> card) {
			CALLS.add("charge " + card);
		}

		@JobHandler(queue = "types", type = "list")
		void list(JsonNode list) {
			CALLS.add("list " + list);
		}

		@JobHandler(queue = "types", type = "fax")
		void fax(String text) {
			CALLS.add("fax " + text);
		}

		@JobHandler(queue = "types")
		void parcel(Parcel parcel) {
			CALLS.add("parcel");
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@JobHandler
	@interface HandlesLater {

		@AliasFor(annotation = JobHandler.class, attribute = "queue")
		String value();

	}

	static final class Composed {

		@HandlesLater("${test.queue}")
		void later(Mail mail) {
			CALLS.add("composed " + mail.text());
		}

	}

	abstract static class Base<T> {

		@JobHandler(queue = "inherited")
		void handle(T payload) {
			CALLS.add("inherited " + payload);
		}

	}

	static final class MailsOfABase extends Base<Mail> {

	}

	interface Receiver<T> {

		void handle(T payload);

	}

	@JobHandler(queue = "received")
	static final class MailReceiver implements Receiver<Mail> {

		@Override
		public void handle(Mail mail) {
			CALLS.add("received " + mail.text());
		}

	}

	record Box<T>(T content) {
	}

	@JobHandler(queue = "shelf")
	abstract static class Shelf {

		public void handle(Box<Parcel> box) {
			CALLS.add("stored " + box.content().weight());
		}

		@JobHandler(queue = "rack")
		public void rack(Box<Parcel> box) {
			CALLS.add("racked " + box.content().weight());
		}

	}

	public static final class PublicShelf extends Shelf {

	}

	@JobHandler(queue = "emails")
	static final class OwnQueue {

		@JobHandler(queue = "own")
		void handle(Mail mail) {
			CALLS.add("own " + mail.text());
		}

	}

	static final class Unreachable {

		@JobHandler(queue = "one")
		void one(Reset reset) {
		}

		@JobHandler(queue = "two")
		void two(Reset reset) {
		}

	}

}

package io.jobqueue.internal.topic;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.OnDuplicate;
import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.PayloadCodec;
import io.jobqueue.Priority;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.topic.Orders.Billing;
import io.jobqueue.internal.topic.Orders.Cancelled;
import io.jobqueue.internal.topic.Orders.Placed;
import io.jobqueue.internal.topic.Orders.Shipping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is published becomes a job for each subscription that matches.
 */
class PublishTests extends NodeTestBase {

	private static final JobRequest EUROPEAN = JobRequest.of(new Placed(1))
		.header("region", "eu")
		.header("kind", "retail")
		.header("tenant", "acme");

	private final Billing billing = new Billing();

	private final Shipping shipping = new Shipping();

	@BeforeEach
	void forget() {
		this.billing.received.clear();
		this.shipping.received.clear();
	}

	@Test
	void eachSubscriberReceivesEachEventOnce() {
		started((settings) -> settings.bean(this.billing));
		started((settings) -> settings.bean(this.billing));
		started((settings) -> settings.bean(this.shipping));
		List<JobReceipt> receipts = producer().queue().publish("orders", EUROPEAN);
		assertThat(receipts).hasSize(2).allMatch(JobReceipt::accepted);
		assertThat(column("queue", receipts.get(0).id(), String.class)).isEqualTo("billing");
		assertThat(column("queue", receipts.get(1).id(), String.class)).isEqualTo("parcels");
		receipts.forEach((receipt) -> awaitState(receipt.id(), "SUCCEEDED"));
		assertThat(this.billing.received).containsExactly("billing 1");
		assertThat(this.shipping.received).containsExactly("parcels 1");
	}

	@Test
	void typeAndAllHeadersOfTheFilterMustMatch() {
		subscribed("billing", "shipping");
		assertThat(published(EUROPEAN)).containsExactly("billing", "parcels");
		assertThat(published(EUROPEAN.header("kind", "wholesale"))).containsExactly("parcels");
		assertThat(published(JobRequest.of(new Placed(1)).header("region", "eu"))).containsExactly("parcels");
		assertThat(published(new Cancelled(1))).containsExactly("parcels");
		assertThat(producer().queue().publish("payments", EUROPEAN)).isEmpty();
		assertThat(producer().queue().publish("orders", new Unknown(1))).isEmpty();
	}

	/**
	 * The name of a header is not that of another one that contains the separator.
	 */
	@Test
	void headerIsNotMistakenForAnother() {
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'orders', 'order-placed', 'billing', 'billing', '{a=b=c}')
				""").update();
		assertThat(published(JobRequest.of(new Placed(1)).header("a=b", "c"))).isEmpty();
		assertThat(published(JobRequest.of(new Placed(1)).header("a", "b=c"))).containsExactly("billing");
	}

	@Test
	void subscriberThatIsDownReceivesItsJobsLater() {
		subscribed("shipping");
		List<JobReceipt> receipts = producer().queue().publish("orders", new Placed(7));
		started((settings) -> settings.bean(this.shipping));
		awaitState(receipts.get(0).id(), "SUCCEEDED");
		assertThat(this.shipping.received).containsExactly("parcels 7");
	}

	@Test
	void whatWasPublishedBeforeTheFirstStartIsNotDelivered() {
		QueueNode subscriber = node(settings().bean(this.shipping));
		assertThat(producer().queue().publish("orders", new Placed(1))).isEmpty();
		subscriber.start();
		assertThat(producer().queue().publish("orders", new Placed(2))).hasSize(1);
		await().until(() -> this.shipping.received.equals(List.of("parcels 2")));
	}

	@Test
	void jobsBelongToTheTransactionOfTheCaller() {
		subscribed("billing", "shipping");
		QueueNode producer = producer();
		producer.transaction().executeWithoutResult((status) -> {
			assertThat(producer.queue().publish("orders", EUROPEAN)).hasSize(2);
			assertThat(count("jobqueue_job")).isZero();
			status.setRollbackOnly();
		});
		assertThat(count("jobqueue_job")).isZero();
		producer.transaction().executeWithoutResult((status) -> producer.queue().publish("orders", EUROPEAN));
		assertThat(count("jobqueue_job")).isEqualTo(2);
	}

	/**
	 * A subscription that the same transaction has removed does not match.
	 */
	@Test
	void subscriptionsAreThoseOfTheTransaction() {
		subscribed("shipping");
		QueueNode producer = producer();
		producer.transaction().executeWithoutResult((status) -> {
			JdbcClient.create(this.pool).sql("DELETE FROM jobqueue_subscription").update();
			assertThat(producer.queue().publish("orders", new Placed(1))).isEmpty();
			status.setRollbackOnly();
		});
		assertThat(producer.queue().publish("orders", new Placed(1))).hasSize(1);
	}

	@Test
	void transactionMayBeRequired() {
		subscribed("shipping");
		QueueNode producer = node(settings().requireTransaction());
		assertThatExceptionOfType(JobRejectedException.class)
			.isThrownBy(() -> producer.queue().publish("orders", new Placed(1)))
			.withMessageContaining("transaction");
	}

	@Test
	void eachJobHasTheOptionsOfTheRequest() {
		subscribed("billing", "shipping");
		List<JobReceipt> receipts = producer().queue()
			.publish("orders",
					EUROPEAN.priority(Priority.of(3))
						.delay(Duration.ofHours(1))
						.orderedBy("customer-7")
						.limitedBy("tenant-1")
						.group("import")
						.maxAttempts(9));
		for (JobReceipt receipt : receipts) {
			UUID job = receipt.id();
			assertThat(this.sql.sql("""
					SELECT payload, priority, ordering_key, limit_key, job_group, max_attempts, type,
					       run_at > now() + interval '59 minutes' AS delayed, headers::json ->> 'tenant' AS tenant
					FROM jobqueue_jobs WHERE id = ?
					""").param(job).query().singleRow()).containsAllEntriesOf(Map.of("payload", "{\"id\":1}",
					"priority", 3, "ordering_key", "customer-7", "limit_key", "tenant-1", "job_group", "import",
					"max_attempts", 9, "type", "order-placed", "delayed", true, "tenant", "acme"));
		}
	}

	/**
	 * Of a type that was renamed, a subscriber may know the old name, the new one, or
	 * both.
	 */
	@Test
	void renamedTypeIsDelivered() {
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'orders', 'order-created', 'archive', 'archive', '{}'),
				       (now(), 'orders', 'order-created', 'shipping', 'old', '{}'),
				       (now(), 'orders', 'order-placed', 'shipping', 'parcels', '{}')
				""").update();
		assertThat(published(new Placed(1))).containsExactly("archive", "parcels");
		this.sql.sql("DELETE FROM jobqueue_subscription WHERE type = 'order-placed'").update();
		assertThat(published(new Placed(1))).containsExactly("archive", "old");
	}

	@Test
	void mapIsPublishedByItsType() {
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'orders', 'order-placed', 'billing', 'billing', '{}')
				""").update();
		assertThat(published(JobRequest.of(Map.of("id", 1)).type("order-placed"))).containsExactly("billing");
		assertThat(published(JobRequest.of(Map.of("id", 1)).type("other"))).isEmpty();
		refused("type", () -> producer().queue().publish("orders", Map.of("id", 1)));
	}

	@Test
	void interceptorsReceiveTheRequestsOfAllSubscriptions() {
		subscribed("billing", "shipping");
		List<List<String>> intercepted = new ArrayList<>();
		Interceptor interceptor = new Interceptor((requests, next) -> {
			intercepted.add(requests.stream().map(JobRequest::queue).toList());
			return next.apply(requests.stream().map((request) -> request.header("from", "interceptor")).toList());
		});
		QueueNode producer = node(settings().bean(interceptor));
		List<JobReceipt> receipts = producer.queue().publish("orders", EUROPEAN);
		assertThat(intercepted).containsExactly(List.of("billing", "parcels"));
		assertThat(receipts).allSatisfy(
				(receipt) -> assertThat(column("headers", receipt.id(), String.class)).contains("interceptor", "acme"));
	}

	/**
	 * What an interceptor throws before anything is written leaves the transaction of the
	 * caller as it is.
	 */
	@Test
	void interceptorMayRefuse() {
		subscribed("shipping");
		Interceptor interceptor = new Interceptor((requests, next) -> {
			throw new IllegalStateException("no");
		});
		QueueNode producer = node(settings().bean(interceptor));
		producer.transaction()
			.executeWithoutResult((status) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> producer.queue().publish("orders", new Placed(1))));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void eachQueueHasItsOwnCodec() {
		subscribed("billing", "shipping");
		PayloadCodec hidden = new PayloadCodec() {

			@Override
			public Encoded encode(Object payload) {
				return Encoded.ofText("hidden");
			}

			@Override
			public Object decode(Encoded encoded, Type type) {
				return new Placed(1);
			}

		};
		JacksonPayloadCodec json = new JacksonPayloadCodec(new JsonMapper());
		TestNodeSettings settings = settings().codecs(new PayloadCodecs(Map.of("billing", hidden), json, json));
		List<JobReceipt> receipts = node(settings).queue().publish("orders", EUROPEAN);
		assertThat(receipts).extracting((receipt) -> column("payload", receipt.id(), String.class))
			.containsExactly("hidden", "{\"id\":1}");
	}

	private static List<Refusal> refusals() {
		JobRequest request = JobRequest.of(new Placed(1));
		return List.of(new Refusal("queue", "orders", request.queue("emails")),
				new Refusal("key", "orders", request.key("order-1")),
				new Refusal("after", "orders", request.after(UUID.randomUUID())),
				new Refusal("topic", "Orders", request), new Refusal("topic", "", request),
				new Refusal("header region", "orders", request.header("region", "\0")),
				new Refusal("header jobqueue.x", "orders", request.header("jobqueue.x", "1")),
				new Refusal("type", "orders", JobRequest.of(List.of(1))),
				new Refusal("maxAttempts", "orders", request.maxAttempts(-1)),
				new Refusal("runAt", "orders", request.runAt(Instant.MAX)),
				new Refusal("orderedBy", "orders", request.orderedBy("")),
				new Refusal("limitedBy", "orders", request.limitedBy("\0")),
				new Refusal("group", "orders", request.group("x".repeat(801))),
				new Refusal("onDuplicate", "orders", request.onDuplicate(OnDuplicate.UPDATE)),
				new Refusal("ifPredecessorFails", "orders", request.ifPredecessorFails(OnPredecessorFailure.RUN)));
	}

	/**
	 * Also without a subscription, and without harm to the transaction of the caller.
	 */
	@Test
	void requestsAreRefused() {
		QueueNode producer = producer();
		producer.transaction().executeWithoutResult((status) -> {
			for (Refusal refusal : refusals()) {
				refused(refusal.property(), () -> producer.queue().publish(refusal.topic(), refusal.request()));
			}
			subscribed("shipping");
			assertThat(producer.queue().publish("orders", new Placed(1))).hasSize(1);
		});
		assertThat(count("jobqueue_job")).isOne();
	}

	@Test
	void thousandSubscribersTakeTwoStatements() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
					SELECT now(), 'orders', 'order-placed', 's' || n, 'queue-' || n, '{region=eu}' FROM generate_series(1, 1000) AS n
					""")
			.update();
		CountingDataSource counting = new CountingDataSource(this.pool);
		JobQueue queue = node(settings(counting)).queue();
		counting.sent().clear();
		assertThat(queue.publish("orders", EUROPEAN)).hasSize(1_000);
		assertThat(counting.sent()).satisfiesExactly((sql) -> assertThat(sql).contains("jobqueue_subscription"),
				(sql) -> assertThat(sql).contains("INSERT INTO jobqueue_job"));
		assertThat(count("jobqueue_job")).isEqualTo(1_000);
		counting.sent().clear();
		assertThat(queue.publish("payments", EUROPEAN)).isEmpty();
		assertThat(counting.sent()).hasSize(1);
	}

	@Test
	void nothingIsNotPublished() {
		refused("payloadOrRequest", () -> producer().queue().publish("orders", null));
		refused("topic", () -> producer().queue().publish(null, new Placed(1)));
	}

	private static void refused(String property, ThrowingCallable call) {
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(call)
			.satisfies((refused) -> assertThat(refused.property()).isEqualTo(property));
	}

	/**
	 * Store the subscriptions of {@link Billing} and {@link Shipping}, as if a worker had
	 * run.
	 */
	private void subscribed(String... subscribers) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
					SELECT now(), 'orders', type, subscriber, queue, filter::text[]
					FROM (VALUES ('order-placed', 'billing', 'billing', '{kind=retail,region=eu}'),
					             ('order-created', 'billing', 'billing', '{kind=retail,region=eu}'),
					             ('order-placed', 'shipping', 'parcels', '{}'), ('order-created', 'shipping', 'parcels', '{}'),
					             ('order-cancelled', 'shipping', 'parcels', '{}')) AS s (type, subscriber, queue, filter)
					WHERE subscriber = ANY (?)
					""")
			.param(subscribers)
			.update();
	}

	private List<String> published(Object payloadOrRequest) {
		return producer().queue()
			.publish("orders", payloadOrRequest)
			.stream()
			.map((receipt) -> column("queue", receipt.id(), String.class))
			.toList();
	}

	/**
	 * An interceptor.
	 *
	 * @param work what it does
	 */
	record Interceptor(
			BiFunction<List<JobRequest>, Function<List<JobRequest>, List<JobReceipt>>, List<JobReceipt>> work)
			implements
				JobInterceptor {

		@Override
		public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
				Function<List<JobRequest>, List<JobReceipt>> next) {
			return this.work.apply(requests, next);
		}

	}

	/**
	 * A request that cannot be published.
	 *
	 * @param property the property that is refused
	 * @param topic the topic
	 * @param request the request
	 */
	record Refusal(String property, String topic, JobRequest request) {
	}

	/**
	 * A payload without a subscriber.
	 *
	 * @param id an id
	 */
	@JobType("unknown")
	record Unknown(int id) {
	}

}

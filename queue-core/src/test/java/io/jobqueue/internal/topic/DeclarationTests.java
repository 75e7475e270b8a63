package io.jobqueue.internal.topic;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.topic.Orders.Billing;
import io.jobqueue.internal.topic.Orders.Placed;
import io.jobqueue.internal.topic.Orders.Shipping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker stores the subscriptions of its handlers when it starts, and renews them
 * hourly.
 */
class DeclarationTests extends NodeTestBase {

	private static final List<Declaration> BILLING = List.of(new Declaration("orders", "billing", Set.of("region=eu"),
			"billing", Set.of("order-placed", "order-created")));

	private final AtomicLong clock = new AtomicLong();

	private CapturedLog log = new CapturedLog();

	@BeforeEach
	void capture() {
		this.log.close();
		this.log = new CapturedLog();
	}

	@AfterEach
	void release() {
		this.log.close();
	}

	@Test
	void startStoresARowForEachNameOfEachType() {
		started((settings) -> settings.bean(new Billing()).bean(new Shipping()));
		assertThat(rows()).containsExactly("orders billing order-created billing {kind=retail,region=eu}",
				"orders billing order-placed billing {kind=retail,region=eu}",
				"orders shipping order-cancelled parcels {}", "orders shipping order-created parcels {}",
				"orders shipping order-placed parcels {}");
		assertThat(count("jobqueue_subscription WHERE last_declared_at > now() - interval '1 minute'")).isEqualTo(5);
		assertThat(node(settings()).operations().subscriptions()).hasSize(5)
			.first()
			.satisfies((first) -> assertThat(first.filter()).isEqualTo(Map.of("kind", "retail", "region", "eu")));
	}

	@Test
	void nodeWithoutAStartedWorkerDeclaresNothing() {
		node(settings().bean(new Billing()));
		assertThat(rows()).isEmpty();
	}

	@Test
	void onlyQueuesThatTheWorkerServesAreDeclared() {
		started((settings) -> settings.bean(new Billing()).bean(new Shipping()).serves("parcels"));
		assertThat(rows()).hasSize(3).allMatch((row) -> row.startsWith("orders shipping"));
		assertThat(count("jobqueue_subscription")).isEqualTo(3);
	}

	@Test
	void laterStartReplacesFilterAndQueue() {
		started((settings) -> settings.bean(new Billing()));
		this.sql.sql("UPDATE jobqueue_subscription SET warned_at = now()").update();
		started((settings) -> settings.bean(new NextBilling()));
		assertThat(rows()).containsExactly("orders billing order-created invoices {region=uk}",
				"orders billing order-placed invoices {region=uk}");
		assertThat(count("jobqueue_subscription WHERE warned_at IS NULL")).isEqualTo(2);
	}

	/**
	 * Of a rolling deployment, the version that started last decides: nodes of the other
	 * one renew the subscription as it is.
	 */
	@Test
	void renewalKeepsWhatALaterStartHasStored() {
		DeclaredSubscriptions older = declared(BILLING);
		older.declare((queue) -> true);
		declared(List.of(new Declaration("orders", "billing", Set.of(), "invoices", Set.of("order-placed"))))
			.declare((queue) -> true);
		age("5 hours");
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		older.renew();
		assertThat(rows()).containsExactly("orders billing order-created billing {region=eu}",
				"orders billing order-placed invoices {}");
		assertThat(undeclared()).isZero();
	}

	@Test
	void workersRenewHourly() {
		DeclaredSubscriptions subscriptions = declared(BILLING);
		subscriptions.declare((queue) -> true);
		age("2 hours");
		this.sql.sql("UPDATE jobqueue_subscription SET warned_at = now()").update();
		this.clock.addAndGet(Duration.ofMinutes(59).toNanos());
		subscriptions.renew();
		assertThat(undeclared()).isEqualTo(2);
		this.clock.addAndGet(Duration.ofMinutes(1).toNanos());
		subscriptions.renew();
		assertThat(undeclared()).isZero();
		assertThat(count("jobqueue_subscription WHERE warned_at IS NULL")).isEqualTo(2);
		age("2 hours");
		subscriptions.renew();
		assertThat(undeclared()).isEqualTo(2);
	}

	@Test
	void renewalDoesNotBringBackWhatAnOperatorHasEnded() {
		DeclaredSubscriptions subscriptions = declared(BILLING);
		subscriptions.declare((queue) -> true);
		node(settings()).operations().unsubscribe("orders", "billing");
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		subscriptions.renew();
		assertThat(rows()).isEmpty();
		subscriptions.declare((queue) -> true);
		assertThat(rows()).hasSize(2);
	}

	/**
	 * A node without the handler, of whatever deployment, ends no subscription.
	 */
	@Test
	void startWithoutAHandlerLeavesItsSubscription() {
		started((settings) -> settings.bean(new Billing()));
		started((settings) -> settings.bean(new Shipping()));
		assertThat(rows()).hasSize(5);
	}

	/**
	 * A lock delays the start of a worker by half a second only, and its heartbeats store
	 * the subscription once the lock is gone.
	 */
	@Test
	void whatCouldNotBeStoredIsStoredLater() {
		started((settings) -> settings.bean(new Billing())).close();
		OpenTransaction other = closeLater(new OpenTransaction(this.database.dataSource()));
		other.sql().sql("UPDATE jobqueue_subscription SET queue = 'other'").update();
		started((settings) -> settings.bean(new Billing()).timeout(Duration.ofMillis(300)));
		assertThat(this.log.messages("Could not declare the subscriptions [orders/billing [")).singleElement()
			.asString()
			.contains("lock timeout");
		other.end(true);
		await().until(() -> rows().stream().noneMatch((row) -> row.contains(" other ")));
	}

	/**
	 * Two applications, each with a subscriber of its own.
	 */
	@Test
	void sharedQueueIsWarnedOf() {
		declared(BILLING).declare((queue) -> true);
		assertThat(this.log.messages("have the same queue")).isEmpty();
		declared(List.of(new Declaration("orders", "archive", Set.of(), "billing", Set.of("order-placed")),
				new Declaration("orders", "fraud", Set.of(), "billing", Set.of("order-cancelled")),
				new Declaration("orders", "billing", Set.of(), "invoices", Set.of("order-changed")),
				new Declaration("returns", "billing", Set.of(), "billing", Set.of("order-created"))))
			.declare((queue) -> true);
		assertThat(this.log.messages("have the same queue")).containsExactlyInAnyOrder(
				"The subscriptions orders/archive [order-placed] and orders/billing have the same queue 'billing' for type order-placed: each of their handlers runs the jobs of both. Give one of them another queue, or end it with JobOperations.unsubscribe if nothing declares it any more",
				"The subscriptions returns/billing [order-created] and orders/billing have the same queue 'billing' for type order-created: each of their handlers runs the jobs of both. Give one of them another queue, or end it with JobOperations.unsubscribe if nothing declares it any more");
	}

	/**
	 * Each pair of nodes declares the same subscriptions, in opposite orders.
	 */
	@Test
	void nodesMayDeclareAtOnce() throws Exception {
		List<Declaration> declarations = IntStream.range(0, 200)
			.mapToObj((n) -> new Declaration("orders", "subscriber-" + n, Set.of(), "queue", Set.of("order-placed")))
			.toList();
		List<Declaration> reversed = IntStream.range(0, 200).mapToObj((n) -> declarations.get(199 - n)).toList();
		ExecutorService nodes = Executors.newFixedThreadPool(4);
		try {
			for (int round = 0; round < 10; round++) {
				this.sql.sql("DELETE FROM jobqueue_subscription").update();
				CyclicBarrier barrier = new CyclicBarrier(4);
				List<Future<Object>> running = IntStream.range(0, 4).mapToObj((n) -> nodes.submit(() -> {
					SubscriptionStore store = store();
					barrier.await();
					store.declare((n % 2 == 0) ? declarations : reversed);
					store.renew((n % 2 == 0) ? reversed : declarations);
					return (Object) n;
				})).toList();
				for (Future<Object> each : running) {
					each.get(30, TimeUnit.SECONDS);
				}
				assertThat(count("jobqueue_subscription")).isEqualTo(200);
			}
		}
		finally {
			nodes.shutdownNow();
		}
	}

	@Test
	void workerOfNoSubscriberSendsNoStatement() {
		AtomicLong unused = new AtomicLong();
		SubscriptionStore failing = (SubscriptionStore) Proxy.newProxyInstance(SubscriptionStore.class.getClassLoader(),
				new Class<?>[] { SubscriptionStore.class }, (proxy, method, arguments) -> unused.incrementAndGet());
		DeclaredSubscriptions none = new DeclaredSubscriptions(List::of, failing, this.clock::get);
		none.declare((queue) -> true);
		none.renew();
		assertThat(unused).hasValue(0);
	}

	private DeclaredSubscriptions declared(List<Declaration> declarations) {
		return new DeclaredSubscriptions(() -> declarations, store(), this.clock::get);
	}

	private SubscriptionStore store() {
		return closeLater(PostgresStores.of(this.pool, null, null)).subscriptions();
	}

	private void age(String interval) {
		this.sql.sql("UPDATE jobqueue_subscription SET last_declared_at = now() - ?::interval")
			.param(interval)
			.update();
	}

	private long undeclared() {
		return count("jobqueue_subscription WHERE last_declared_at < now() - interval '30 minutes'");
	}

	private List<String> rows() {
		return this.sql.sql("""
				SELECT concat_ws(' ', topic, subscriber, type, queue, filter::text) FROM jobqueue_subscription
				ORDER BY topic, subscriber, type
				""").query(String.class).list();
	}

	/**
	 * The next version of a subscriber.
	 */
	static final class NextBilling {

		@JobHandler(queue = "invoices", topic = "orders", subscriber = "billing", filter = "region=uk")
		void bill(Placed order) {
			assertThat(order).isNotNull();
		}

	}

}

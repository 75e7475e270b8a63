package io.jobqueue.internal.topic;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.TopicSubscription;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.topic.Orders.Placed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * An operator ends a subscription.
 */
class UnsubscribeTests extends NodeTestBase {

	private final QueueNode node = new QueueNode(settings().user("alice"));

	@BeforeEach
	void subscribe() {
		closeLater(() -> this.sql.sql("DELETE FROM jobqueue_subscription").update());
		this.sql.sql("""
				INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
				VALUES (now(), 'orders', 'order-placed', 'shipping', 'parcels', '{}'),
				       (now(), 'orders', 'order-cancelled', 'shipping', 'parcels', '{}'),
				       (now(), 'orders', 'order-placed', 'billing', 'billing', '{region=eu}'),
				       (now(), 'payments', 'order-placed', 'shipping', 'parcels', '{}')
				""").update();
	}

	@Test
	void nothingMoreIsDeliveredAndItsJobsStay() {
		List<JobReceipt> before = this.node.queue().publish("orders", new Placed(1));
		assertThat(before).hasSize(1);
		assertThat(this.node.operations().unsubscribe("orders", "shipping")).isTrue();
		assertThat(this.node.queue().publish("orders", new Placed(2))).isEmpty();
		assertThat(this.node.queue().publish("payments", new Placed(3))).hasSize(1);
		assertThat(state(before.get(0).id())).isEqualTo("READY");
		assertThat(this.node.operations().subscriptions())
			.extracting(TopicSubscription::topic, TopicSubscription::subscriber, TopicSubscription::type,
					TopicSubscription::queue, TopicSubscription::filter)
			.containsExactly(tuple("orders", "billing", "order-placed", "billing", Map.of("region", "eu")),
					tuple("payments", "shipping", "order-placed", "parcels", Map.of()));
	}

	@Test
	void isLoggedWithOperatorAndReason() {
		try (CapturedLog log = new CapturedLog()) {
			assertThat(this.node.operations().because("sold").unsubscribe("orders", "shipping")).isTrue();
			assertThat(log.messages("unsubscribe"))
				.containsExactly("unsubscribe subscription orders/shipping, by alice, because: sold");
		}
		assertThat(this.sql.sql("SELECT operation, subject, operator, reason FROM jobqueue_operator_log")
			.query()
			.singleRow())
			.containsExactlyInAnyOrderEntriesOf(Map.of("operation", "unsubscribe", "subject",
					"subscription orders/shipping", "operator", "alice", "reason", "sold"));
	}

	@Test
	void unknownSubscriptionLeavesNoTrace() {
		try (CapturedLog log = new CapturedLog()) {
			assertThat(this.node.operations().unsubscribe("orders", "other")).isFalse();
			assertThat(this.node.operations().unsubscribe("other", "shipping")).isFalse();
			assertThat(log.messages()).isEmpty();
		}
		assertThat(count("jobqueue_operator_log")).isZero();
		assertThat(count("jobqueue_subscription")).isEqualTo(4);
	}

	@Test
	void staysAfterTheRollbackOfTheCaller() {
		this.node.transaction().executeWithoutResult((status) -> {
			assertThat(this.node.operations().unsubscribe("orders", "shipping")).isTrue();
			status.setRollbackOnly();
		});
		assertThat(count("jobqueue_subscription")).isEqualTo(2);
	}

	@Test
	void namesMustBeStorable() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.node.operations().unsubscribe("\0", "shipping"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.node.operations().unsubscribe("orders", "\0"));
	}

}

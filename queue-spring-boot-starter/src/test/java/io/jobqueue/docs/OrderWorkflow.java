package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowState;
import io.jobqueue.Workflows;

import static io.jobqueue.WorkflowDefinition.after;
import static io.jobqueue.WorkflowDefinition.afterAny;
import static io.jobqueue.WorkflowDefinition.afterFailure;

/**
 * An order is paid, then shipped or picked up; the customer is told, or gets the money
 * back.
 */
@Configuration(proxyBeanMethods = false)
class OrderWorkflow {

	@Bean
	WorkflowDefinition<Order> fulfilment() {
		return WorkflowDefinition.named("fulfilment", Order.class)
			.step("pay", (order) -> new Pay(order.id(), order.amount()))
			.step("ship", (order) -> new Ship(order.id()), after("pay").on("in-stock"))
			.step("pickUp", (order) -> new PickUp(order.id()), after("pay").on("in-shop"))
			.step("tell", (order) -> new Tell(order.id()), afterAny("ship", "pickUp"))
			.step("refund", (order) -> new PayBack(order.id()), afterFailure("ship", "pickUp"))
			.step("askForReview", (order) -> JobRequest.of(new Ask(order.id())).delay(Duration.ofDays(14)),
					after("tell"))
			.build();
	}

	/**
	 * The handlers of the steps.
	 */
	@Component
	static class Steps {

		private final List<String> done = new CopyOnWriteArrayList<>();

		@JobHandler(queue = "orders")
		JobResult handle(Pay pay) {
			Payment payment = new Payment("p-" + pay.orderId(), pay.amount());
			return JobResult.success(payment).branch(isInStock(pay.orderId()) ? "in-stock" : "in-shop");
		}

		@JobHandler(queue = "orders")
		void handle(PayBack back, JobContext job) {
			Payment payment = Objects.requireNonNull(job.result("pay", Payment.class));
			this.done.add("refund %s of %d".formatted(payment.reference(), payment.amount()));
		}

		@JobHandler(queue = "orders")
		String handle(Ship ship) {
			if (ship.orderId() == 13) {
				throw new IllegalStateException("The van is broken");
			}
			this.done.add("ship " + ship.orderId());
			return "tracking-" + ship.orderId();
		}

		@JobHandler(queue = "orders")
		void handle(PickUp pickUp) {
			this.done.add("pick up " + pickUp.orderId());
		}

		@JobHandler(queue = "orders")
		void handle(Tell tell, JobContext job) {
			String tracking = job.result("ship", String.class);
			this.done.add((tracking != null) ? "tell " + tracking : "tell of the shop");
		}

		@JobHandler(queue = "orders")
		void handle(Ask ask) {
			this.done.add("ask " + ask.orderId());
		}

		private static boolean isInStock(long orderId) {
			return orderId % 2 == 1;
		}

		List<String> done() {
			return this.done;
		}

	}

	/**
	 * Starts and operates instances.
	 */
	@Component
	static class Orders {

		private final JdbcClient jdbc;

		private final Workflows workflows;

		Orders(JdbcClient jdbc, Workflows workflows) {
			this.jdbc = jdbc;
			this.workflows = workflows;
		}

		@Transactional
		UUID place(Order order) {
			this.jdbc.sql("INSERT INTO users (id) VALUES (?)").param(order.id()).update();
			return this.workflows.start("fulfilment", order).id();
		}

		void retryFailed() {
			this.workflows.list(WorkflowQuery.all().name("fulfilment").state(WorkflowState.FAILED))
				.workflows()
				.forEach((order) -> this.workflows.because("the van is repaired").retry(order.id()));
		}

		String draw(UUID id) {
			WorkflowInfo order = this.workflows.find(id).orElseThrow();
			return "%s is %s, %d %%%n%s".formatted(order.name(), order.state(), order.percent(), order.toMermaid());
		}

	}

	/**
	 * The input.
	 */
	record Order(long id, long amount) {
	}

	/**
	 * What the first step returns.
	 */
	record Payment(String reference, long amount) {
	}

	/**
	 * A payload.
	 */
	record Pay(long orderId, long amount) {
	}

	/**
	 * A payload.
	 */
	record Ship(long orderId) {
	}

	/**
	 * A payload.
	 */
	record PickUp(long orderId) {
	}

	/**
	 * A payload.
	 */
	record Tell(long orderId) {
	}

	/**
	 * A payload.
	 */
	record PayBack(long orderId) {
	}

	/**
	 * A payload.
	 */
	record Ask(long orderId) {
	}

}

package io.jobqueue.internal.topic;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobType;

/**
 * What is published to the topic {@code orders}, and its subscribers.
 */
final class Orders {

	private Orders() {
	}

	/**
	 * An order was placed.
	 *
	 * @param id the id of the order
	 */
	@JobType(value = "order-placed", aliases = "order-created")
	record Placed(int id) {
	}

	/**
	 * An order was cancelled.
	 *
	 * @param id the id of the order
	 */
	@JobType("order-cancelled")
	record Cancelled(int id) {
	}

	/**
	 * Receives all orders of a region.
	 */
	static final class Billing {

		final List<String> received = new CopyOnWriteArrayList<>();

		@JobHandler(topic = "orders", subscriber = "billing", filter = "region=eu, kind=retail")
		void bill(Placed order, JobContext job) {
			this.received.add("%s %d".formatted(job.queue(), order.id()));
		}

	}

	/**
	 * Receives all that happens to orders, in a queue of another name.
	 */
	@JobHandler(queue = "parcels", topic = "orders", subscriber = "shipping")
	static final class Shipping {

		final List<String> received = new CopyOnWriteArrayList<>();

		void handle(Placed order, JobContext job) {
			this.received.add("%s %d".formatted(job.queue(), order.id()));
		}

		void handle(Cancelled order, JobContext job) {
			this.received.add("%s -%d".formatted(job.queue(), order.id()));
		}

	}

}

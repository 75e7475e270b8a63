package io.jobqueue.docs;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;

/**
 * Takes payment, then packs and writes the invoice at the same time, then ships.
 */
@Component
class Fulfilment {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	Fulfilment(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(TakePayment payment) {
		this.jdbc.sql("INSERT INTO fulfilment (order_id, open_steps) VALUES (?, 2)").param(payment.orderId()).update();
		this.jobQueue.enqueueAll(List.of(new PackParcel(payment.orderId()), new WriteInvoice(payment.orderId())));
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(PackParcel parcel) {
		stepIsDone(parcel.orderId());
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(WriteInvoice invoice) {
		stepIsDone(invoice.orderId());
	}

	private void stepIsDone(long orderId) {
		int open = this.jdbc
			.sql("UPDATE fulfilment SET open_steps = open_steps - 1 WHERE order_id = ? RETURNING open_steps")
			.param(orderId)
			.query(Integer.class)
			.single();
		if (open == 0) {
			this.jobQueue.enqueue(new ShipOrder(orderId));
		}
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(ShipOrder order) {
		this.jdbc.sql("UPDATE fulfilment SET shipped = shipped + 1 WHERE order_id = ?").param(order.orderId()).update();
	}

	/**
	 * A payload.
	 */
	record TakePayment(long orderId) {
	}

	/**
	 * A payload.
	 */
	record PackParcel(long orderId) {
	}

	/**
	 * A payload.
	 */
	record WriteInvoice(long orderId) {
	}

	/**
	 * A payload.
	 */
	record ShipOrder(long orderId) {
	}

}

package io.jobqueue.docs;

import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

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
		UUID parcel = this.jobQueue.enqueue(new PackParcel(payment.orderId())).id();
		UUID invoice = this.jobQueue.enqueue(new WriteInvoice(payment.orderId())).id();
		this.jobQueue.enqueue(JobRequest.of(new ShipOrder(payment.orderId())).after(parcel, invoice));
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(PackParcel parcel) {
		record(parcel.orderId(), "packed");
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(WriteInvoice invoice) {
		record(invoice.orderId(), "invoiced");
	}

	@JobHandler(queue = "fulfilment", delivery = Delivery.TRANSACTIONAL)
	void handle(ShipOrder order) {
		record(order.orderId(), "shipped");
	}

	private void record(long orderId, String step) {
		this.jdbc.sql("INSERT INTO fulfilment (order_id, step) VALUES (?, ?)").param(orderId).param(step).update();
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

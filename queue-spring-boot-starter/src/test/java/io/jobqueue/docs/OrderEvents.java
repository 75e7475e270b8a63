package io.jobqueue.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * Publishes orders, and subscribes to them.
 */
@Component
class OrderEvents {

	private final JobQueue jobQueue;

	private final JobOperations operations;

	private final JdbcClient jdbc;

	private final List<String> received = new CopyOnWriteArrayList<>();

	OrderEvents(JobQueue jobQueue, JobOperations operations, JdbcClient jdbc) {
		this.jobQueue = jobQueue;
		this.operations = operations;
		this.jdbc = jdbc;
	}

	@Transactional
	void place(long orderId, String region) {
		this.jdbc.sql("INSERT INTO users (id) VALUES (?)").param(orderId).update();
		this.jobQueue.publish("orders", JobRequest.of(new OrderPlaced(orderId)).header("region", region));
	}

	@JobHandler(topic = "orders", subscriber = "billing", filter = "region=eu")
	void bill(OrderPlaced order) {
		this.received.add("bill " + order.orderId());
	}

	@JobHandler(topic = "orders", subscriber = "search")
	void index(OrderPlaced order) {
		this.received.add("index " + order.orderId());
	}

	boolean sellBilling() {
		return this.operations.because("billing is a product of its own").unsubscribe("orders", "billing");
	}

	List<String> received() {
		return this.received;
	}

	/**
	 * A payload.
	 */
	record OrderPlaced(long orderId) {
	}

}

package io.jobqueue.docs;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.OnPredecessorFailure;

/**
 * Sends a parcel after the payment and the packing.
 */
@Component
@JobHandler(queue = "shipping", maxAttempts = 1)
class Shipping {

	private final JobQueue jobQueue;

	private final JobOperations operations;

	private final List<String> steps = new CopyOnWriteArrayList<>();

	Shipping(JobQueue jobQueue, JobOperations operations) {
		this.jobQueue = jobQueue;
		this.operations = operations;
	}

	@Transactional
	void place(long orderId) {
		UUID payment = this.jobQueue.enqueue(new CapturePayment(orderId)).id();
		UUID parcel = this.jobQueue.enqueue(new PackGoods(orderId)).id();
		this.jobQueue.enqueue(JobRequest.of(new SendParcel(orderId)).after(payment, parcel));
	}

	void refund(long orderId, UUID payment) {
		this.jobQueue
			.enqueue(JobRequest.of(new Refund(orderId)).after(payment).ifPredecessorFails(OnPredecessorFailure.RUN));
	}

	void shipAnyway(UUID jobId) {
		this.operations.release(jobId);
	}

	void handle(CapturePayment payment) {
		if (payment.orderId() < 0) {
			throw new IllegalStateException("The card was refused");
		}
		this.steps.add("payment");
	}

	void handle(PackGoods goods) {
		this.steps.add("goods");
	}

	void handle(SendParcel parcel) {
		this.steps.add("parcel");
	}

	void handle(Refund refund) {
		this.steps.add("refund");
	}

	List<String> steps() {
		return this.steps;
	}

	/**
	 * A payload.
	 */
	record CapturePayment(long orderId) {
	}

	/**
	 * A payload.
	 */
	record PackGoods(long orderId) {
	}

	/**
	 * A payload.
	 */
	record SendParcel(long orderId) {
	}

	/**
	 * A payload.
	 */
	record Refund(long orderId) {
	}

}

package io.jobqueue.docs;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * A payload without a class of its own.
 */
@Component
class Cancellations {

	private final JobQueue jobQueue;

	private final Set<Object> cancelled = ConcurrentHashMap.newKeySet();

	Cancellations(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	void requestCancellation() {
		this.jobQueue.enqueue(JobRequest.of("invoices", Map.of("invoiceId", 42)).type("invoice-cancelled"));
	}

	@JobHandler(queue = "invoices", type = "invoice-cancelled")
	void cancel(Map<String, Object> invoice) {
		this.cancelled.add(invoice.get("invoiceId"));
	}

	Set<Object> cancelled() {
		return this.cancelled;
	}

}

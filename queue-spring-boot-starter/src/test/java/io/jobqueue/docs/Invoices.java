package io.jobqueue.docs;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;

/**
 * Several handlers of one queue.
 */
@Component
@JobHandler(queue = "invoices")
class Invoices {

	void handle(InvoiceDue due) {
		remind(due.invoiceId());
	}

	void handle(InvoicePaid paid, JobContext job) {
		book(paid.invoiceId(), job.id());
	}

	private final Set<Long> reminded = ConcurrentHashMap.newKeySet();

	private final Map<Long, UUID> booked = new ConcurrentHashMap<>();

	private void remind(long invoiceId) {
		this.reminded.add(invoiceId);
	}

	private void book(long invoiceId, UUID idempotencyKey) {
		this.booked.put(invoiceId, idempotencyKey);
	}

	Set<Long> reminded() {
		return this.reminded;
	}

	Map<Long, UUID> booked() {
		return this.booked;
	}

}

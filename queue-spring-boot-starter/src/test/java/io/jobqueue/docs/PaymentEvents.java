package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;

/**
 * What was handled is not handled again for a while.
 */
@Component
class PaymentEvents {

	private final JobQueue jobQueue;

	private final List<String> events = new CopyOnWriteArrayList<>();

	PaymentEvents(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	boolean receive(PaymentEvent event) {
		return this.jobQueue.enqueue(JobRequest.of(event).key(event.id()).dedupeFor(Duration.ofDays(3))).accepted();
	}

	@JobHandler(queue = "payment-events")
	JobResult handle(PaymentEvent event) {
		this.events.add(event.id());
		boolean test = event.id().startsWith("test-");
		return test ? JobResult.success().dedupeFor(Duration.ZERO) : JobResult.success();
	}

	List<String> handled() {
		return this.events;
	}

}

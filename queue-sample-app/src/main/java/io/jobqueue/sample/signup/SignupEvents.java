package io.jobqueue.sample.signup;

import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * Tells other applications of signups. The event is a job of the transaction that stores
 * the signup; after the commit, the relay of its queue sends it to Kafka.
 */
@Component
@Profile("kafka")
class SignupEvents {

	private final JobQueue queue;

	SignupEvents(JobQueue queue) {
		this.queue = queue;
	}

	@EventListener
	void tell(SignedUp event) {
		this.queue.enqueue(JobRequest.of(event).orderedBy(event.email()));
	}

}

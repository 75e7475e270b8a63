package io.jobqueue.boot.autoconfigure;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.jobqueue.JobHandler;

/**
 * Remembers whom it greeted.
 */
@JobHandler
class Greetings {

	private final Collection<String> received = new ConcurrentLinkedQueue<>();

	void handle(Greeting greeting) {
		this.received.add(greeting.firstName());
	}

	Collection<String> received() {
		return this.received;
	}

}

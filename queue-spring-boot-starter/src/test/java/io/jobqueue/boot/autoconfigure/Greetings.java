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

	private final Collection<Thread> threads = new ConcurrentLinkedQueue<>();

	void handle(Greeting greeting) {
		this.threads.add(Thread.currentThread());
		this.received.add(greeting.firstName());
	}

	Collection<String> received() {
		return this.received;
	}

	Collection<Thread> threads() {
		return this.threads;
	}

}

package io.jobqueue.maintenance;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.FailureText;

/**
 * A task that has another turn when it failed. Only the beginning and the end of a row of
 * failures are logged.
 */
final class Chore implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Chore.class);

	private final String name;

	private final Runnable task;

	private boolean failing;

	Chore(String name, Runnable task) {
		this.name = name;
		this.task = task;
	}

	@Override
	public void run() {
		try {
			this.task.run();
			succeeded();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private void succeeded() {
		if (this.failing) {
			logger.info("{} succeeds again", this.name);
		}
		this.failing = false;
	}

	private void failed(Throwable failure) {
		if (!this.failing) {
			logger.warn("{} fails and is tried again at each of its turns: {}", this.name, FailureText.of(failure));
		}
		logger.debug("{} fails", this.name, failure);
		this.failing = true;
	}

}

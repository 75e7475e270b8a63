package io.jobqueue.benchmark.consume;

import io.jobqueue.JobHandler;
import io.jobqueue.JobType;

/**
 * A handler that does nothing, of jobs and of records.
 */
class Parts {

	static final String TOPIC = "parts";

	static final String QUEUE = "parts";

	private volatile Runnable listener = () -> {
	};

	/**
	 * Replace the listener.
	 * @param listener is called at the end of each job
	 */
	void onJob(Runnable listener) {
		this.listener = listener;
	}

	@JobHandler
	void handle(Part part) {
		this.listener.run();
	}

	/**
	 * The payload.
	 *
	 * @param text what fills it
	 */
	@JobType(value = "part", queue = QUEUE)
	record Part(String text) {
	}

}

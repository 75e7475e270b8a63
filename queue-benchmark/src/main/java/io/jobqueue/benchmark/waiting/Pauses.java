package io.jobqueue.benchmark.waiting;

import io.jobqueue.JobHandler;
import io.jobqueue.benchmark.timing.Progress;

/**
 * The handler that is measured: it waits as if another service had to answer.
 */
@JobHandler(queue = Pauses.QUEUE)
class Pauses {

	static final String QUEUE = "pauses";

	private volatile Progress progress = Progress.of(1);

	void handle(Pause pause) throws InterruptedException {
		Thread.sleep(pause.millis());
		this.progress.add(1);
	}

	/**
	 * Replace what counts the jobs whose wait is over.
	 */
	Progress expect(Progress expected) {
		this.progress = expected;
		return expected;
	}

}

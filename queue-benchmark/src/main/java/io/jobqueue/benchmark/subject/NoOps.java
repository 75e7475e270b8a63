package io.jobqueue.benchmark.subject;

import java.util.function.LongConsumer;

import io.jobqueue.JobHandler;

/**
 * Does nothing but call the listener that measures.
 */
@JobHandler(queue = NoOps.QUEUE)
public class NoOps {

	public static final String QUEUE = "no-ops";

	private volatile LongConsumer listener = (number) -> {
	};

	void handle(NoOp number) {
		this.listener.accept(number.value());
	}

	/**
	 * Replace the listener.
	 * @param listener gets the value of each no-op job on the thread of its handler,
	 * before its success is written; the attempt fails with whatever it throws
	 */
	public void onJob(LongConsumer listener) {
		this.listener = listener;
	}

}

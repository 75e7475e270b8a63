package io.jobqueue.benchmark.subject;

import java.util.function.LongConsumer;

import io.jobqueue.JobHandler;

/**
 * Does nothing but tell who measures.
 */
@JobHandler(queue = NoOps.QUEUE)
public class NoOps {

	public static final String QUEUE = "no-ops";

	private volatile LongConsumer listener = (number) -> {
	};

	void handle(NoOp number) {
		this.listener.accept(number.value());
	}

	void handle(Nap nap) throws InterruptedException {
		Thread.sleep(nap.millis());
	}

	public void onJob(LongConsumer listener) {
		this.listener = listener;
	}

}

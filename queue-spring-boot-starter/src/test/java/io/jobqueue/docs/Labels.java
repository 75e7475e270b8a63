package io.jobqueue.docs;

import io.jobqueue.JobHandler;

/**
 * A handler with options of its type.
 */
class Labels {

	private final Printer printer;

	Labels(Printer printer) {
		this.printer = printer;
	}

	@JobHandler(queue = "labels", maxAttempts = 3, maxRunTime = "30s", backoff = { "10s", "1m" })
	void handle(PrintLabel label) {
		this.printer.print(label.orderId());
	}

	record PrintLabel(long orderId) {
	}

	/**
	 * What prints.
	 */
	interface Printer {

		void print(long orderId);

	}

}

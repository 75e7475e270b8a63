package io.jobqueue.benchmark.cost;

import java.util.function.LongConsumer;

import io.jobqueue.JobHandler;
import io.jobqueue.benchmark.subject.Parcel;

/**
 * The handler that is measured: it does nothing.
 */
@JobHandler(queue = Parcels.QUEUE)
class Parcels {

	static final String QUEUE = "parcels";

	private volatile LongConsumer listener = (count) -> {
	};

	void handle(Parcel parcel) {
		this.listener.accept(1);
	}

	/**
	 * Replace the listener.
	 * @param listener gets 1 for each parcel on the thread of its handler, before its
	 * success is written
	 */
	void onParcel(LongConsumer listener) {
		this.listener = listener;
	}

}

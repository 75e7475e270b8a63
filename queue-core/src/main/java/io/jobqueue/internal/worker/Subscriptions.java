package io.jobqueue.internal.worker;

import java.util.function.Predicate;

/**
 * The subscriptions to topics that the handlers of a worker declare.
 */
public interface Subscriptions {

	/**
	 * Store the subscriptions. This does not throw if the database cannot be reached.
	 * @param queues tests the queue of a subscription: the worker serves it
	 */
	void declare(Predicate<String> queues);

	/**
	 * Store the subscriptions if that has failed, and note from time to time that they
	 * are still declared.
	 */
	void renew();

}

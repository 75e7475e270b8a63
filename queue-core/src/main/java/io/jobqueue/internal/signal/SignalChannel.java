package io.jobqueue.internal.signal;

import java.time.Duration;
import java.util.Collection;

import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.WakeUp;

/**
 * Carries signals between nodes. Signals may be lost: the next poll finds their jobs.
 */
public interface SignalChannel {

	/**
	 * Send signals to all other nodes, outside any transaction of the application.
	 * @param signals the signals
	 */
	void send(Collection<WakeUp> signals);

	/**
	 * Send a notice to all other nodes.
	 * @param notice the notice
	 */
	void send(Notice notice);

	/**
	 * Subscribe to the signals of other nodes, and check that they arrive.
	 * @return the subscription
	 * @throws SignalsUnavailableException if they do not arrive
	 */
	Subscription subscribe();

	/**
	 * A subscription to the signals of other nodes.
	 */
	interface Subscription extends AutoCloseable {

		/**
		 * Wait for signals.
		 * @param atMost the longest time to wait
		 * @param receiver receives the signals
		 * @throws SignalsUnavailableException if the subscription is broken
		 */
		void await(Duration atMost, Receiver receiver);

		@Override
		void close();

	}

	/**
	 * Receives the signals of other nodes.
	 */
	interface Receiver {

		/**
		 * Receive wake-ups.
		 * @param signals the signals
		 */
		void receive(Collection<? extends WakeUp> signals);

		/**
		 * Receive a notice.
		 * @param notice the notice
		 */
		void receive(Notice notice);

	}

}

package io.jobqueue.signal;

import java.time.Duration;
import java.util.Collection;

import io.jobqueue.store.WakeUp;

/**
 * A way for signals from node to node. A signal may be lost: the next poll makes up for
 * it.
 */
public interface SignalChannel {

	/**
	 * Send signals to all other nodes, outside any transaction of the application.
	 * @param signals the signals
	 */
	void send(Collection<WakeUp> signals);

	/**
	 * Tell all other nodes that something was paused or resumed.
	 */
	void sendPauses();

	/**
	 * Begin to listen, and make sure that signals really arrive.
	 * @return the open ear
	 * @throws SignalsUnavailableException if they do not
	 */
	Ear listen();

	/**
	 * Hears what other nodes send.
	 */
	interface Ear extends AutoCloseable {

		/**
		 * Wait for signals.
		 * @param atMost how long
		 * @param receiver what takes them
		 * @throws SignalsUnavailableException if none can arrive any more
		 */
		void await(Duration atMost, Receiver receiver);

		@Override
		void close();

	}

	/**
	 * Takes what other nodes send.
	 */
	interface Receiver {

		/**
		 * Take signals.
		 * @param signals the signals
		 */
		void receive(Collection<? extends WakeUp> signals);

		/**
		 * Take note that something was paused or resumed.
		 */
		void receivePauses();

	}

}

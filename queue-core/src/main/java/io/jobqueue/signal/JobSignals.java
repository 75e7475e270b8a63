package io.jobqueue.signal;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Carries signals of commits from this JVM to those who listen in it. A listener must be
 * quick and must not throw: it runs on the thread that has just committed.
 */
public final class JobSignals {

	private final List<Listener> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Let a listener hear of every commit from now on.
	 * @param listener the listener
	 */
	public void subscribe(Listener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Leave a listener out from now on.
	 * @param listener the listener
	 */
	public void unsubscribe(Listener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Tell the listeners of jobs that were committed.
	 * @param signals what was committed
	 */
	public void publish(Collection<JobSignal> signals) {
		this.listeners.forEach((listener) -> listener.onCommit(signals));
	}

	/**
	 * Hears of commits.
	 */
	@FunctionalInterface
	public interface Listener {

		/**
		 * Called after a commit.
		 * @param signals what was committed
		 */
		void onCommit(Collection<JobSignal> signals);

	}

}

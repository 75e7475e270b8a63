package io.jobqueue.internal.signal;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.WakeUp;

/**
 * Delivers wake-ups to the workers of this JVM and forwards those of local commits to
 * other nodes. Listeners run on the thread that has committed, or on the one that
 * receives the signals of other nodes, so they must not block and must not throw.
 */
public final class JobSignals implements SignalChannel.Receiver {

	private static final Logger logger = LoggerFactory.getLogger(JobSignals.class);

	private final List<Listener> listeners = new CopyOnWriteArrayList<>();

	private final List<Listener> forwarders = new CopyOnWriteArrayList<>();

	private final EmptyTables tables = new EmptyTables();

	/**
	 * Return whether the tables hold nothing to do. Each wake-up ends that.
	 * @return the state of the tables
	 */
	public EmptyTables tables() {
		return this.tables;
	}

	/**
	 * Subscribe to the signals of all commits, of this JVM and of other nodes.
	 * @param listener the listener
	 */
	public void subscribe(Listener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Remove a subscriber.
	 * @param listener the listener
	 */
	public void unsubscribe(Listener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Deliver a request to cancel a running job.
	 * @param job the id of the job
	 */
	public void requestCancel(UUID job) {
		this.listeners.forEach((listener) -> listener.onCancelRequest(job));
	}

	/**
	 * Deliver the jobs that others wait for, if there are any, after the commit in which
	 * they have finished or others were enqueued after them.
	 * @param predecessors the ids of the jobs
	 */
	public void publishPredecessors(Collection<UUID> predecessors) {
		if (!predecessors.isEmpty()) {
			this.tables.change();
			this.listeners.forEach((listener) -> listener.onPredecessors(predecessors));
		}
	}

	/**
	 * Deliver a notice of this JVM to the workers, and forward it.
	 * @param notice the notice
	 */
	public void publish(Notice notice) {
		receive(notice);
		this.forwarders.forEach((forwarder) -> forwarder.onNotice(notice));
	}

	/**
	 * Deliver a notice of another node, or one whose signal may have been lost.
	 */
	@Override
	public void receive(Notice notice) {
		this.listeners.forEach((listener) -> listener.onNotice(notice));
	}

	/**
	 * Forward the wake-ups and notices of this JVM.
	 * @param forwarder sends them to other nodes
	 */
	public void forwardTo(Listener forwarder) {
		this.forwarders.add(forwarder);
	}

	/**
	 * Deliver the wake-ups of a commit in this JVM, and forward them. Does nothing if
	 * there are none.
	 * @param signals the wake-ups
	 */
	public void publish(Collection<? extends WakeUp> signals) {
		if (!signals.isEmpty()) {
			receive(signals);
			publishToOthers(signals);
		}
	}

	/**
	 * Publish a new job. If an idle handler of this JVM claims it by its id, no wake-up
	 * is published.
	 * @param job the committed job
	 */
	public void publish(DueJob job) {
		this.tables.change();
		for (Listener listener : this.listeners) {
			if (offer(job, listener)) {
				return;
			}
		}
		publish(List.of(job.wakeUp()));
	}

	private static boolean offer(DueJob job, Listener listener) {
		try {
			return listener.offer(job);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("{} could not be passed to a handler; it is signalled", job, ex);
			return false;
		}
	}

	/**
	 * Deliver wake-ups to the other workers of this JVM and to other nodes, if there are
	 * any.
	 * @param signals the wake-ups
	 * @param except the worker that has committed
	 */
	public void publish(Collection<? extends WakeUp> signals, Listener except) {
		if (!signals.isEmpty()) {
			this.tables.change();
			for (Listener listener : this.listeners) {
				if (listener != except) {
					listener.onWakeUps(signals);
				}
			}
			publishToOthers(signals);
		}
	}

	/**
	 * Forward wake-ups for jobs that no worker of this JVM can claim now.
	 * @param signals the wake-ups
	 */
	public void publishToOthers(Collection<? extends WakeUp> signals) {
		this.forwarders.forEach((forwarder) -> forwarder.onWakeUps(signals));
	}

	/**
	 * Deliver the wake-ups of a commit on another node.
	 * @param signals the wake-ups
	 */
	@Override
	public void receive(Collection<? extends WakeUp> signals) {
		this.tables.change();
		this.listeners.forEach((listener) -> listener.onWakeUps(signals));
	}

	/**
	 * Notify the workers that signals of other nodes may have been lost until now. Those
	 * to come may be lost as well.
	 */
	public void makeUpForLostSignals() {
		this.tables.change();
		this.listeners.forEach(Listener::onLostSignals);
	}

	/**
	 * Receives signals. Each method does nothing by default.
	 */
	public interface Listener {

		/**
		 * Called after a commit of this JVM or of another node.
		 * @param signals its wake-ups
		 */
		default void onWakeUps(Collection<? extends WakeUp> signals) {
		}

		/**
		 * Called after the commit of a request to cancel a running job in this JVM.
		 * @param job the id of the job, which may run on another worker
		 */
		default void onCancelRequest(UUID job) {
		}

		/**
		 * Called after a commit of this JVM.
		 * @param predecessors the ids of jobs that others wait for, which have finished
		 * or after which others were enqueued
		 */
		default void onPredecessors(Collection<UUID> predecessors) {
		}

		/**
		 * Called after the commit of a new job, on the committing thread. May start a
		 * thread, but does not wait.
		 * @param job the job
		 * @return {@code true} if the listener claims the job, or publishes its wake-up
		 * where it cannot
		 */
		default boolean offer(DueJob job) {
			return false;
		}

		/**
		 * Called with a notice of this JVM or of another node.
		 * @param notice the notice
		 */
		default void onNotice(Notice notice) {
		}

		/**
		 * Called when signals begin or cease to arrive. Earlier ones may have been lost.
		 */
		default void onLostSignals() {
		}

	}

}

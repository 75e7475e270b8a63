package io.jobqueue.signal;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.DueJob;
import io.jobqueue.store.Notice;
import io.jobqueue.store.WakeUp;

/**
 * Delivers wake-ups to the workers of this JVM and forwards those of local commits to
 * other nodes. Listeners run on the thread that has committed, so they must not block and
 * must not throw.
 */
public final class JobSignals implements SignalChannel.Receiver {

	private static final Logger logger = LoggerFactory.getLogger(JobSignals.class);

	private final List<Listener> workers = new CopyOnWriteArrayList<>();

	private final List<Listener> forwarders = new CopyOnWriteArrayList<>();

	private final List<Consumer<UUID>> cancelListeners = new CopyOnWriteArrayList<>();

	private final List<Consumer<Collection<UUID>>> resolvers = new CopyOnWriteArrayList<>();

	private final List<Consumer<Notice>> noticeListeners = new CopyOnWriteArrayList<>();

	/**
	 * Subscribe a worker to the wake-ups of all commits, of this JVM and of other nodes.
	 * @param worker the listener
	 */
	public void subscribe(Listener worker) {
		this.workers.add(worker);
	}

	/**
	 * Remove a worker from the subscribers to wake-ups.
	 * @param worker the listener
	 */
	public void unsubscribe(Listener worker) {
		this.workers.remove(worker);
	}

	/**
	 * Subscribe a worker to the cancel requests of this JVM.
	 * @param worker receives the id of a job, which may run on another worker
	 */
	public void subscribeToCancels(Consumer<UUID> worker) {
		this.cancelListeners.add(worker);
	}

	/**
	 * Remove a worker from the subscribers to cancel requests.
	 * @param worker the subscriber
	 */
	public void unsubscribeFromCancels(Consumer<UUID> worker) {
		this.cancelListeners.remove(worker);
	}

	/**
	 * Deliver a request to cancel a running job.
	 * @param job the id of the job
	 */
	public void requestCancel(UUID job) {
		this.cancelListeners.forEach((worker) -> worker.accept(job));
	}

	/**
	 * Subscribe to the predecessors of this JVM's commits.
	 * @param resolver receives the ids of jobs that others wait for, without waiting or
	 * throwing
	 */
	public void subscribeToPredecessors(Consumer<Collection<UUID>> resolver) {
		this.resolvers.add(resolver);
	}

	/**
	 * Deliver the jobs that others wait for, if there are any, after the commit in which
	 * they have finished or others were enqueued after them.
	 * @param predecessors the ids of the jobs
	 */
	public void publishPredecessors(Collection<UUID> predecessors) {
		if (!predecessors.isEmpty()) {
			this.resolvers.forEach((resolver) -> resolver.accept(predecessors));
		}
	}

	/**
	 * Subscribe a worker to the notices of this JVM and of other nodes.
	 * @param worker receives each notice, without waiting or throwing
	 */
	public void subscribeToNotices(Consumer<Notice> worker) {
		this.noticeListeners.add(worker);
	}

	/**
	 * Remove a worker from the subscribers to notices.
	 * @param worker the subscriber
	 */
	public void unsubscribeFromNotices(Consumer<Notice> worker) {
		this.noticeListeners.remove(worker);
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
		this.noticeListeners.forEach((worker) -> worker.accept(notice));
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
		for (Listener worker : this.workers) {
			if (offer(job, worker)) {
				return;
			}
		}
		publish(List.of(job.wakeUp()));
	}

	private static boolean offer(DueJob job, Listener worker) {
		try {
			return worker.offer(job);
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
			for (Listener worker : this.workers) {
				if (worker != except) {
					worker.onWakeUps(signals);
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
		this.workers.forEach((worker) -> worker.onWakeUps(signals));
	}

	/**
	 * Notify the workers that signals of other nodes may have been lost until now. Those
	 * to come may be lost as well.
	 */
	public void makeUpForLostSignals() {
		this.workers.forEach(Listener::onLostSignals);
	}

	/**
	 * Receives wake-ups.
	 */
	@FunctionalInterface
	public interface Listener {

		/**
		 * Called after a commit.
		 * @param signals its wake-ups
		 */
		void onWakeUps(Collection<? extends WakeUp> signals);

		/**
		 * Called after the commit of a new job, on the committing thread. May start a
		 * thread, but does not wait. Does nothing by default.
		 * @param job the job
		 * @return {@code true} if the listener claims the job, or publishes its wake-up
		 * where it cannot
		 */
		default boolean offer(DueJob job) {
			return false;
		}

		/**
		 * Called to forward a notice of this JVM. Does nothing by default.
		 * @param notice the notice
		 */
		default void onNotice(Notice notice) {
		}

		/**
		 * Called when signals begin or cease to arrive. Earlier ones may have been lost.
		 * Does nothing by default.
		 */
		default void onLostSignals() {
		}

	}

}

package io.jobqueue.signal;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.jobqueue.store.WakeUp;

/**
 * Carries signals to those who wait for work in this JVM, and those of this JVM's own
 * commits to whoever passes them on. A listener must be quick and must not throw: it runs
 * on the thread that has just committed.
 */
public final class JobSignals implements SignalChannel.Receiver {

	private final List<Listener> workers = new CopyOnWriteArrayList<>();

	private final List<Listener> forwarders = new CopyOnWriteArrayList<>();

	private final List<Consumer<UUID>> cancelListeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> pauseListeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> pauseForwarders = new CopyOnWriteArrayList<>();

	/**
	 * Let a worker hear of all commits, of this JVM and of other nodes.
	 * @param worker the listener
	 */
	public void subscribe(Listener worker) {
		this.workers.add(worker);
	}

	/**
	 * Leave a worker out from now on.
	 * @param worker the listener
	 */
	public void unsubscribe(Listener worker) {
		this.workers.remove(worker);
	}

	/**
	 * Let a worker hear of requests to cancel jobs that were made in this JVM.
	 * @param worker takes the id of a job, which may run elsewhere
	 */
	public void subscribeToCancels(Consumer<UUID> worker) {
		this.cancelListeners.add(worker);
	}

	/**
	 * Leave a worker out of requests to cancel from now on.
	 * @param worker what takes ids of jobs
	 */
	public void unsubscribeFromCancels(Consumer<UUID> worker) {
		this.cancelListeners.remove(worker);
	}

	/**
	 * Tell of a request to cancel a job that runs.
	 * @param job the id of the job
	 */
	public void requestCancel(UUID job) {
		this.cancelListeners.forEach((worker) -> worker.accept(job));
	}

	/**
	 * Let a worker hear that something was paused or resumed, here or on another node.
	 * @param worker what has to look
	 */
	public void subscribeToPauses(Runnable worker) {
		this.pauseListeners.add(worker);
	}

	/**
	 * Leave a worker out of pauses from now on.
	 * @param worker what had to look
	 */
	public void unsubscribeFromPauses(Runnable worker) {
		this.pauseListeners.remove(worker);
	}

	/**
	 * Let somebody hear that something was paused or resumed in this JVM, to pass it on.
	 * @param forwarder what passes it on
	 */
	public void forwardPausesTo(Runnable forwarder) {
		this.pauseForwarders.add(forwarder);
	}

	/**
	 * Tell that something was paused or resumed in this JVM.
	 */
	public void publishPauses() {
		receivePauses();
		this.pauseForwarders.forEach(Runnable::run);
	}

	/**
	 * Tell that something was paused or resumed on another node, or may have been.
	 */
	@Override
	public void receivePauses() {
		this.pauseListeners.forEach(Runnable::run);
	}

	/**
	 * Let a listener hear of the commits of this JVM, to pass them on.
	 * @param forwarder the listener
	 */
	public void forwardTo(Listener forwarder) {
		this.forwarders.add(forwarder);
	}

	/**
	 * Tell of jobs that were committed in this JVM, if there are any.
	 * @param signals what was committed
	 */
	public void publish(Collection<? extends WakeUp> signals) {
		if (!signals.isEmpty()) {
			receive(signals);
			tellOthers(signals);
		}
	}

	/**
	 * Deliver wake-ups to the other workers of this JVM and to other nodes, if there are
	 * any.
	 * @param signals what was committed
	 * @param except the worker that knows of it
	 */
	public void publish(Collection<? extends WakeUp> signals, Listener except) {
		if (!signals.isEmpty()) {
			this.workers.stream().filter((worker) -> worker != except).forEach((worker) -> worker.onWakeUps(signals));
			tellOthers(signals);
		}
	}

	/**
	 * Tell other nodes of jobs that nobody here can take now.
	 * @param signals the jobs
	 */
	public void tellOthers(Collection<? extends WakeUp> signals) {
		this.forwarders.forEach((forwarder) -> forwarder.onWakeUps(signals));
	}

	/**
	 * Tell of jobs that were committed on another node.
	 * @param signals what was committed
	 */
	@Override
	public void receive(Collection<? extends WakeUp> signals) {
		this.workers.forEach((worker) -> worker.onWakeUps(signals));
	}

	/**
	 * Tell the workers that signals of other nodes may have been lost until now.
	 */
	public void makeUpForLostSignals() {
		this.workers.forEach(Listener::onLostSignals);
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
		void onWakeUps(Collection<? extends WakeUp> signals);

		/**
		 * Called when signals arrive again after a time in which they may have been lost.
		 * Does nothing by default.
		 */
		default void onLostSignals() {
		}

	}

}

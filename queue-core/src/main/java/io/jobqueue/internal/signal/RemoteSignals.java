package io.jobqueue.internal.signal;

import java.time.Duration;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.WakeUp;

/**
 * Sends signals to other nodes and receives theirs while the application context is
 * running.
 */
public final class RemoteSignals implements SmartLifecycle, JobSignals.Listener {

	private static final Duration SEND_TIMEOUT = Duration.ofSeconds(2);

	private final JobSignals signals;

	private final SignalChannel channel;

	private boolean listens;

	private final String node;

	private volatile @Nullable SignalSender sender;

	private @Nullable Thread senderThread;

	private @Nullable SignalListener listener;

	/**
	 * Create remote signals.
	 * @param signals the signals of this JVM
	 * @param channel carries signals between nodes
	 * @param listens whether this node receives signals from the start
	 * @param node the name of this node, for its threads
	 */
	public RemoteSignals(JobSignals signals, SignalChannel channel, boolean listens, String node) {
		this.signals = signals;
		this.channel = channel;
		this.listens = listens;
		this.node = node;
		signals.forwardTo(this);
	}

	@Override
	public void onWakeUps(Collection<? extends WakeUp> committed) {
		SignalSender current = this.sender;
		if (current != null) {
			current.onWakeUps(committed);
		}
	}

	@Override
	public void onNotice(Notice notice) {
		SignalSender current = this.sender;
		if (current != null) {
			current.onNotice(notice);
		}
	}

	/**
	 * Return whether this node is subscribed to the signals of other nodes.
	 * @return {@code true} if it receives them now
	 */
	public synchronized boolean isConnected() {
		return this.listener != null && this.listener.isConnected();
	}

	@Override
	public synchronized void start() {
		if (this.sender == null) {
			this.sender = new SignalSender(this.channel);
			this.senderThread = thread("sender", this.sender);
			if (this.listens) {
				startListener();
			}
		}
	}

	/**
	 * Receive the signals of other nodes from now on, also after another start.
	 */
	public synchronized void listen() {
		this.listens = true;
		if (this.sender != null && this.listener == null) {
			startListener();
		}
	}

	private void startListener() {
		this.listener = new SignalListener(this.channel, this.signals);
		Thread unused = thread("listener", this.listener);
	}

	private Thread thread(String role, Runnable task) {
		Thread thread = NamedThreads.daemons(this.node, role).newThread(task);
		thread.start();
		return thread;
	}

	/**
	 * Stop. This waits up to 2 seconds until the signals of local commits are sent, as
	 * they would be lost if the process ended.
	 */
	@Override
	public synchronized void stop() {
		if (this.sender != null) {
			this.sender.close();
			this.sender = null;
			awaitSender();
		}
		if (this.listener != null) {
			this.listener.close();
			this.listener = null;
		}
	}

	private void awaitSender() {
		try {
			if (this.senderThread != null) {
				this.senderThread.join(SEND_TIMEOUT.toMillis());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.senderThread = null;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.sender != null;
	}

	/**
	 * The signals start before workers and web servers and stop after them, so that the
	 * wake-ups of their last commits are sent.
	 */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 4096;
	}

}

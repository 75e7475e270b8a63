package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

import io.jobqueue.JobPuller;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * Pulls jobs for threads of the application while the application context is running.
 * Background threads start, and statements are sent, with the first pull.
 */
public final class DefaultJobPuller implements JobPuller, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(DefaultJobPuller.class);

	private final PullerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final Object monitor = new Object();

	private @Nullable PullSession session;

	private volatile boolean running;

	/**
	 * Create a puller.
	 * @param services the services of the puller
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 */
	public DefaultJobPuller(PullerServices services, WorkerSettings settings, Function<String, QueueSettings> queues) {
		this.services = services;
		this.settings = settings;
		this.queues = queues;
	}

	@Override
	public <T> @Nullable PulledJob<T> tryPull(JobSource<T> source) {
		return session().tryPull(source);
	}

	@Override
	public <T> @Nullable PulledJob<T> pull(JobSource<T> source, Duration atMost) throws InterruptedException {
		Objects.requireNonNull(atMost, "'atMost' must not be null");
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return session().pull(source, atMost);
	}

	/**
	 * Claim a job by its id, whether or not it is due or paused, run its handler on this
	 * thread, and record the outcome.
	 * @param job the id of the job
	 * @param queue its queue
	 * @param type the name of its type
	 * @param keyed whether the job has an ordering or a limit key
	 * @param begins called after the claim, before the handler
	 * @return {@code true} if the job could be claimed
	 * @throws Throwable the exception of the handler, or a failure to claim the job or to
	 * record its outcome
	 */
	public boolean runHere(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable {
		return session().runHere(job, queue, type, keyed, begins);
	}

	/**
	 * Return the jobs that the application has pulled and not ended, and those that
	 * {@link #runHere} runs.
	 * @return the jobs
	 */
	public List<RunningJob> running() {
		synchronized (this.monitor) {
			return (this.session != null) ? this.session.running() : List.of();
		}
	}

	private PullSession session() {
		synchronized (this.monitor) {
			if (!this.running) {
				throw new JobQueueException(
						"No job can be pulled: the application context is not running, because it has not started yet or is stopping");
			}
			PullSession current = this.session;
			if (current == null) {
				current = new PullSession(this.services, this.settings, this.queues);
				JobWorker.startOrStop(current::start, current::stop);
				this.session = current;
			}
			return current;
		}
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	@Override
	public synchronized void stop() {
		PullSession last = lastSession();
		if (last != null) {
			try {
				last.stop();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				logger.warn("Interrupted while stopping; other workers take over the pulled jobs", ex);
			}
		}
	}

	private @Nullable PullSession lastSession() {
		synchronized (this.monitor) {
			PullSession last = this.session;
			this.session = null;
			this.running = false;
			return last;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MAX_VALUE - 100;
	}

}

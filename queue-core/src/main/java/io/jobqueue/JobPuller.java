package io.jobqueue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Lets threads of the application take jobs by themselves, where a {@link JobHandler} is
 * not in question. A bean of this type is there to be injected, also where
 * {@code jobqueue.worker.enabled} is {@code false}.
 *
 * <pre class="code">
 * try (PulledJob&lt;Import&gt; job = this.puller.pull("imports", Import.class, Duration.ofSeconds(10))) {
 *     if (job != null) {
 *         load(job.payload());
 *         job.end(JobResult.success());
 *     }
 * }</pre>
 *
 * <p>
 * A pulled job is claimed as a worker claims one that is delivered at least once: no
 * other thread or worker gets it, its attempt counts, the limits and keys of its queue
 * hold, and the JVM sends heartbeats for it. What happens at its end is what the settings
 * of its queue say; the retry policies and exceptions that a handler of the same type
 * names are not asked.
 * <p>
 * Only jobs of the named types are claimed, others are left alone, as are those that
 * {@code jobqueue.worker.priorities} leaves out. A payload that cannot be read fails its
 * attempt, and the pull goes on to the next job.
 * <p>
 * A pull is no part of the caller's transaction. It throws an
 * {@link InvalidConfigurationException} if a queue's name is none, or a class yields no
 * name of a type or one that belongs to another class; a {@link JobQueueException} if the
 * application context is not running; and a Spring {@code DataAccessException} if the
 * database fails: what it may have claimed is then released, uncounted. All methods are
 * safe for use by several threads.
 * <p>
 * When the application stops, pulls that wait end without a job. Those that hold one have
 * {@code jobqueue.worker.shutdown-timeout} to end it, and no time with
 * {@code jobqueue.worker.release-on-stop}; after that it is released, uncounted.
 */
public interface JobPuller {

	/**
	 * Take a job that is due, if there is one.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @return the job, {@code null} if there is none
	 */
	default <T> @Nullable PulledJob<T> tryPull(String queue, Class<T> payload) {
		return tryPull(JobSource.of(queue, payload));
	}

	/**
	 * Take a job that is due, if there is one.
	 * @param <T> the class of the payload
	 * @param source where from
	 * @return the job, {@code null} if there is none
	 */
	<T> @Nullable PulledJob<T> tryPull(JobSource<T> source);

	/**
	 * Take a job, and wait for one if none is due. Commits of this JVM end the wait at
	 * once, those of other nodes where {@code jobqueue.worker.wake-up} has this node
	 * listen; others are found by polling.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @param atMost how long to wait; zero or less for not at all
	 * @return the job, {@code null} if there was none in that time or the application
	 * stops
	 * @throws InterruptedException if the thread is interrupted, before or meanwhile:
	 * nothing is claimed then, or it is released, uncounted
	 */
	default <T> @Nullable PulledJob<T> pull(String queue, Class<T> payload, Duration atMost)
			throws InterruptedException {
		return pull(JobSource.of(queue, payload), atMost);
	}

	/**
	 * Take a job, and wait for one if none is due. Commits of this JVM end the wait at
	 * once, those of other nodes where {@code jobqueue.worker.wake-up} has this node
	 * listen; others are found by polling.
	 * @param <T> the class of the payload
	 * @param source where from
	 * @param atMost how long to wait; zero or less for not at all
	 * @return the job, {@code null} if there was none in that time or the application
	 * stops
	 * @throws InterruptedException if the thread is interrupted, before or meanwhile:
	 * nothing is claimed then, or it is released, uncounted
	 */
	<T> @Nullable PulledJob<T> pull(JobSource<T> source, Duration atMost) throws InterruptedException;

}

package io.jobqueue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Lets threads of the application take jobs without a {@link JobHandler}. The application
 * has a bean of this type, even if {@code jobqueue.worker.enabled} is {@code false}.
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
 * A pulled job is claimed like a job with at-least-once delivery: no other thread or
 * worker gets it, its attempt counts, the limits and keys of its queue apply, and the JVM
 * sends heartbeats for it. The settings of its queue decide what follows its end; the
 * retry policy and exceptions of a handler of the same type do not apply.
 * <p>
 * Only jobs of the named types, and of the priorities in {@code
 * jobqueue.worker.priorities}, are claimed. A payload that cannot be read fails its
 * attempt, and the pull continues with the next job.
 * <p>
 * A pull is not part of the caller's transaction. It throws an
 * {@link InvalidConfigurationException} if the name of a queue is invalid, or a class has
 * no type name or that of another class; a {@link JobQueueException} if the application
 * context is not running; and a Spring {@code DataAccessException} if the database fails:
 * a job that it may have claimed is then released without counting the attempt. All
 * methods are safe for use by several threads.
 * <p>
 * When the application stops, waiting pulls return without a job. Pulled jobs that have
 * not ended after {@code jobqueue.worker.shutdown-timeout}, or at once with {@code
 * jobqueue.worker.release-on-stop}, are released without counting the attempt.
 */
public interface JobPuller {

	/**
	 * Take a due job, if there is one.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @return the job, {@code null} if there is none
	 */
	default <T> @Nullable PulledJob<T> tryPull(String queue, Class<T> payload) {
		return tryPull(JobSource.of(queue, payload));
	}

	/**
	 * Take a due job, if there is one.
	 * @param <T> the class of the payload
	 * @param source the queues and types
	 * @return the job, {@code null} if there is none
	 */
	<T> @Nullable PulledJob<T> tryPull(JobSource<T> source);

	/**
	 * Take a due job, and wait for one if there is none. A commit in this JVM ends the
	 * wait at once, and so does one of another node if this node listens ({@code
	 * jobqueue.worker.wake-up}); other jobs are found by polling.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @param atMost the maximum time to wait; zero or less for none
	 * @return the job, {@code null} if none was due in that time or the application stops
	 * @throws InterruptedException if the thread is interrupted before or during the
	 * call: no job is claimed, or it is released without counting the attempt
	 */
	default <T> @Nullable PulledJob<T> pull(String queue, Class<T> payload, Duration atMost)
			throws InterruptedException {
		return pull(JobSource.of(queue, payload), atMost);
	}

	/**
	 * Take a due job, and wait for one if there is none. A commit in this JVM ends the
	 * wait at once, and so does one of another node if this node listens ({@code
	 * jobqueue.worker.wake-up}); other jobs are found by polling.
	 * @param <T> the class of the payload
	 * @param source the queues and types
	 * @param atMost the maximum time to wait; zero or less for none
	 * @return the job, {@code null} if none was due in that time or the application stops
	 * @throws InterruptedException if the thread is interrupted before or during the
	 * call: no job is claimed, or it is released without counting the attempt
	 */
	<T> @Nullable PulledJob<T> pull(JobSource<T> source, Duration atMost) throws InterruptedException;

}

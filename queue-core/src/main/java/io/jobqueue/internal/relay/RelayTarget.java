package io.jobqueue.internal.relay;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where the jobs of a queue go. No method but {@link #stop} waits for the broker; all are
 * safe for use by several threads.
 */
public interface RelayTarget {

	/**
	 * Begin to accept jobs, also after a {@link #stop}.
	 * @param freed called when {@link #capacity} has become positive
	 */
	void start(Runnable freed);

	/**
	 * Return how many further jobs are accepted.
	 * @return the number of jobs, 0 while the broker does not answer
	 */
	int capacity();

	/**
	 * Return how many bytes of payloads and headers are accepted.
	 * @return the number of bytes
	 */
	long bytes();

	/**
	 * Send jobs. Each is {@linkplain RelayedJob#acknowledged acknowledged},
	 * {@linkplain RelayedJob#refused refused}, {@linkplain RelayedJob#postpone postponed}
	 * or {@linkplain RelayedJob#release released} later.
	 * @param jobs the jobs, which have no ordering key in common with others that are
	 * being sent
	 */
	void send(List<RelayedJob> jobs);

	/**
	 * Return why no job is acknowledged at present.
	 * @return a sentence, {@code null} if jobs are acknowledged or there are none
	 */
	@Nullable String problem();

	/**
	 * Stop to accept jobs, wait for acknowledgements unless there is a problem, and
	 * release the other jobs.
	 * @param atMost the maximum time to wait
	 * @throws InterruptedException if the thread is interrupted; the jobs are released
	 */
	void stop(Duration atMost) throws InterruptedException;

}

package io.jobqueue.store;

import java.time.Duration;
import java.util.UUID;

/**
 * What the end of an attempt tells about a queue whose retries are probed.
 *
 * @param job the id of the job
 * @param queue its queue
 * @param retry whether the attempt was a retry that has ended
 * @param succeeded whether it succeeded
 * @param pause how long the next retry waits at least, if this one failed
 */
public record Probe(UUID job, String queue, boolean retry, boolean succeeded, Duration pause) {

	/**
	 * The longest pause. A job that is due later than that is none that others wait for.
	 */
	public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

}

package io.jobqueue.internal.payload;

import io.jobqueue.PayloadCodec;

/**
 * Selects the codec of each queue. All nodes that enqueue to a queue or handle its jobs
 * must use the same codec.
 */
@FunctionalInterface
public interface PayloadCodecs {

	/**
	 * Return the codec for the payloads of a queue.
	 * @param queue the name of the queue
	 * @return the codec
	 */
	PayloadCodec of(String queue);

}

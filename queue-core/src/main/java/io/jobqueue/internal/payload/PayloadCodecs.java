package io.jobqueue.internal.payload;

import java.util.Map;

import io.jobqueue.PayloadCodec;

/**
 * The codecs of queues. All nodes that enqueue to a queue or handle its jobs must use the
 * same codec.
 *
 * @param byQueue the codecs of single queues, by their names
 * @param common the codec of all other queues
 */
public record PayloadCodecs(Map<String, PayloadCodec> byQueue, PayloadCodec common) {

	/**
	 * Create the same codec for all queues.
	 * @param common the codec
	 */
	public PayloadCodecs(PayloadCodec common) {
		this(Map.of(), common);
	}

	/**
	 * Return the codec for the payloads of a queue.
	 * @param queue the name of the queue
	 * @return the codec
	 */
	public PayloadCodec of(String queue) {
		return this.byQueue.getOrDefault(queue, this.common);
	}

}

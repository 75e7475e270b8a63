package io.jobqueue.internal.payload;

import java.util.Map;

import io.jobqueue.PayloadCodec;

/**
 * The codecs of queues. All nodes that enqueue to a queue or handle its jobs must use the
 * same codec.
 *
 * @param byQueue the codecs of single queues, by their names
 * @param common the codec of all other queues
 * @param json the codec that converts the arguments of methods to JSON, which the codec
 * of their queue encodes
 */
public record PayloadCodecs(Map<String, PayloadCodec> byQueue, PayloadCodec common, JacksonPayloadCodec json) {

	/**
	 * Create the same codec for all queues.
	 * @param common the codec
	 */
	public PayloadCodecs(PayloadCodec common) {
		this(Map.of(), common, (common instanceof JacksonPayloadCodec json) ? json : new JacksonPayloadCodec());
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

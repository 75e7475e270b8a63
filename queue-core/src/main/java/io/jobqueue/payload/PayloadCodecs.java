package io.jobqueue.payload;

import io.jobqueue.PayloadCodec;

/**
 * Which codec is for which queue. Those who enqueue to a queue and those who handle its
 * jobs have to agree.
 */
@FunctionalInterface
public interface PayloadCodecs {

	/**
	 * Return the codec of a queue's payloads.
	 * @param queue the queue's name
	 * @return the codec
	 */
	PayloadCodec of(String queue);

}

package io.jobqueue.internal.kafka.consume;

import org.jspecify.annotations.Nullable;

/**
 * The consumer of a topic.
 */
interface TopicConsumer {

	ConsumedTopic topic();

	/**
	 * Begin to consume.
	 */
	void start();

	/**
	 * Begin to end, without waiting for it.
	 */
	default void beginStop() {
	}

	/**
	 * End in order, so that other nodes can go on.
	 */
	void stop();

	boolean isRunning();

	/**
	 * Return why nothing is consumed, {@code null} if records are consumed or there are
	 * none.
	 */
	@Nullable String problem();

}

package io.jobqueue.internal.relay;

import java.time.Duration;

/**
 * A queue whose jobs go to a broker.
 *
 * @param queue the name of the queue
 * @param to the kind of the broker
 * @param topic the name of the topic
 * @param maxRunTime the time from the claim of a job after which it is released if the
 * broker has not acknowledged it
 */
public record Relay(String queue, String to, String topic, Duration maxRunTime) {

	/**
	 * Return the key of a setting of this relay.
	 * @param name the last part of the key
	 * @return the key
	 */
	public String setting(String name) {
		return "jobqueue.queues.%s.relay.%s".formatted(this.queue, name);
	}

}

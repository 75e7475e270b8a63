package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.jobqueue.TopicSubscription;

/**
 * Stores the subscriptions to topics. All but {@link #queues} are transactions of their
 * own.
 */
public interface SubscriptionStore {

	/**
	 * Return the queues of the subscriptions that match, as the caller's transaction sees
	 * them. One statement.
	 * @param topic the topic
	 * @param types the names of the type; the first one takes precedence if a subscriber
	 * has subscribed to several
	 * @param headers the headers, each as {@code name=value}
	 * @return a queue for each subscriber, in the order of their names
	 */
	List<String> queues(String topic, List<String> types, Collection<String> headers);

	/**
	 * Add or replace subscriptions.
	 * @param declarations the subscriptions
	 */
	void declare(Collection<Declaration> declarations);

	/**
	 * Note that subscriptions are still declared. Those that are not stored any more are
	 * not added.
	 * @param declarations the subscriptions
	 */
	void renew(Collection<Declaration> declarations);

	/**
	 * End subscriptions that no worker has declared for some time, unless their queue has
	 * live jobs of their type. One ends a day after its first warning at the earliest.
	 * @param warnAfter the time after which there is a warning
	 * @param retention the time after which a subscription ends
	 * @return those that have ended, and those to warn of: each once a day, over all
	 * nodes
	 */
	List<UndeclaredSubscription> expire(Duration warnAfter, Duration retention);

	/**
	 * Remove the subscriptions of a subscriber to a topic.
	 * @param topic the topic
	 * @param subscriber the subscriber
	 * @param operation the operation for the operator log
	 * @return {@code false} if there is none
	 */
	boolean remove(String topic, String subscriber, LoggedOperation operation);

	/**
	 * Return subscriptions.
	 * @param limit the maximum number
	 * @return the subscriptions, ordered by topic, subscriber and type
	 */
	List<TopicSubscription> subscriptions(int limit);

	/**
	 * A subscription that a handler declares.
	 *
	 * @param topic the topic
	 * @param subscriber the subscriber
	 * @param filter the headers that published jobs must have, each as {@code name=value}
	 * @param queue the queue of the handler
	 * @param types the names of its type
	 */
	record Declaration(String topic, String subscriber, Set<String> filter, String queue, Set<String> types) {

		@Override
		public String toString() {
			return "%s/%s %s".formatted(this.topic, this.subscriber, this.types);
		}

	}

	/**
	 * A subscription that no worker has declared for some time.
	 *
	 * @param topic the topic
	 * @param subscriber the subscriber
	 * @param type the name of its type
	 * @param queue its queue
	 * @param age the time since a worker declared it last
	 * @param end whether it ends
	 */
	record UndeclaredSubscription(String topic, String subscriber, String type, String queue, Duration age, End end) {

		/**
		 * Whether a subscription ends.
		 */
		public enum End {

			/**
			 * It ends in a day at the earliest.
			 */
			SOON,

			/**
			 * It would have ended, but its queue has live jobs of its type.
			 */
			HELD,

			/**
			 * It has ended.
			 */
			ENDED

		}

	}

}

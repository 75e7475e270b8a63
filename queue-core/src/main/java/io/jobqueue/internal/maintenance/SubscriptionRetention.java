package io.jobqueue.internal.maintenance;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.SubscriptionStore.UndeclaredSubscription;

/**
 * Ends subscriptions to topics that no worker has declared for the retention, a day after
 * a warning. One whose queue has live jobs of its type stays, with a warning each day.
 */
public final class SubscriptionRetention {

	private static final Logger logger = LoggerFactory.getLogger(SubscriptionRetention.class);

	private static final Duration WARNING = Duration.ofDays(1);

	/**
	 * Running workers declare their subscriptions hourly.
	 */
	private static final Duration UNDECLARED = Duration.ofHours(2);

	private final SubscriptionStore store;

	private final Duration retention;

	/**
	 * Create it.
	 * @param store ends subscriptions
	 * @param retention the time after which a subscription ends, zero for never
	 */
	public SubscriptionRetention(SubscriptionStore store, Duration retention) {
		this.store = store;
		this.retention = retention;
	}

	/**
	 * Run once. Of several nodes, one logs a warning.
	 */
	public void runOnce() {
		if (!this.retention.isZero()) {
			Duration warnAfter = this.retention.minus(WARNING);
			this.store.expire((warnAfter.compareTo(UNDECLARED) > 0) ? warnAfter : UNDECLARED, this.retention)
				.forEach(this::log);
		}
	}

	private void log(UndeclaredSubscription subscription) {
		logger.atWarn()
			.addKeyValue("job.queue", subscription.queue())
			.log("The subscription of '{}' to topic '{}' for type {} was declared by a worker {} ago: {}",
					subscription.subscriber(), subscription.topic(), subscription.type(),
					DurationText.of(subscription.age()), consequence(subscription));
	}

	private String consequence(UndeclaredSubscription subscription) {
		return switch (subscription.end()) {
			case SOON -> "unless one does so again, it ends tomorrow (jobqueue.topics.subscription-retention)";
			case HELD ->
				"it stays while queue '%s' has jobs of this type. Start a worker that runs them, or delete them"
					.formatted(subscription.queue());
			case ENDED -> "it has ended, and receives no jobs until a worker that declares it starts";
		};
	}

}

package io.jobqueue.internal.topic;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.TopicSubscription;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;
import io.jobqueue.internal.worker.Subscriptions;

/**
 * The subscriptions that handlers of this application declare: stored when a worker
 * starts, and renewed hourly.
 */
public final class DeclaredSubscriptions implements Subscriptions {

	private static final Logger logger = LoggerFactory.getLogger(DeclaredSubscriptions.class);

	private static final Duration INTERVAL = Duration.ofHours(1);

	private static final int MAX_COMPARED = 10_000;

	private final Supplier<List<Declaration>> source;

	private final SubscriptionStore store;

	private final LongSupplier nanoTime;

	private List<Declaration> declared = List.of();

	private @Nullable Long storedAt;

	/**
	 * Create the subscriptions.
	 * @param source returns those of all handlers
	 * @param store stores them
	 * @param nanoTime the clock, in nanoseconds
	 */
	public DeclaredSubscriptions(Supplier<List<Declaration>> source, SubscriptionStore store, LongSupplier nanoTime) {
		this.source = source;
		this.store = store;
		this.nanoTime = nanoTime;
	}

	@Override
	public synchronized void declare(Predicate<String> queues) {
		this.declared = this.source.get().stream().filter((each) -> queues.test(each.queue())).toList();
		this.storedAt = null;
		try {
			renew();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Could not declare the subscriptions {}; will retry. Until then, they receive no jobs if they are new: {}",
					this.declared, FailureText.of(ex));
		}
	}

	/**
	 * Until the subscriptions are stored, each call tries to store them. An operator may
	 * have ended one since: it is not renewed.
	 */
	@Override
	public synchronized void renew() {
		long now = this.nanoTime.getAsLong();
		if (this.declared.isEmpty() || (this.storedAt != null && now - this.storedAt < INTERVAL.toNanos())) {
			return;
		}
		if (this.storedAt == null) {
			this.store.declare(this.declared);
			logger.info("Declared the subscriptions {}", this.declared);
			this.store.subscriptions(MAX_COMPARED).forEach(this::warnIfShared);
		}
		else {
			this.store.renew(this.declared);
		}
		this.storedAt = now;
	}

	/**
	 * Other handlers of a queue and type would run the jobs of this application's, and
	 * the other way round. Within one application, such handlers are refused.
	 */
	private void warnIfShared(TopicSubscription stored) {
		this.declared.stream()
			.filter((own) -> own.queue().equals(stored.queue()) && own.types().contains(stored.type()))
			.filter((own) -> !own.topic().equals(stored.topic()) || !own.subscriber().equals(stored.subscriber()))
			.forEach((own) -> logger.warn(
					"The subscriptions {} and {}/{} have the same queue '{}' for type {}: each of their handlers runs the jobs of both. Give one of them another queue, or end it with JobOperations.unsubscribe if nothing declares it any more",
					own, stored.topic(), stored.subscriber(), stored.queue(), stored.type()));
	}

}

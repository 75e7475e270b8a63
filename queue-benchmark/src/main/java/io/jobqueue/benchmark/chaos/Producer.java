package io.jobqueue.benchmark.chaos;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.jobqueue.JobRejectedException;
import io.jobqueue.benchmark.chaos.Ledger.OpenBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Orders one errand after the other, some of them in batches and workflows, and some in
 * transactions that roll back.
 */
final class Producer implements Callable<Set<UUID>> {

	private static final Logger logger = LoggerFactory.getLogger(Producer.class);

	private static final int MAX_PAUSE_MILLIS = 20;

	private static final int CANCELLED = 10;

	private static final int WAITING = 4;

	/**
	 * A batch takes two turns: each tenth one starts a batch.
	 */
	private static final int BATCHED = 5;

	private static final int MAX_MEMBERS = 3;

	private static final int TOURS = 10;

	private final Ledger ledger;

	private final Random random;

	private final Set<UUID> acknowledged = new HashSet<>();

	private @Nullable UUID last;

	private @Nullable OpenBatch open;

	private volatile boolean stopping;

	/**
	 * Create a producer.
	 * @param ledger where to order
	 * @param random decides what and when
	 */
	Producer(Ledger ledger, Random random) {
		this.ledger = ledger;
		this.random = random;
	}

	/**
	 * Order until stopped.
	 * @return the jobs whose commit was acknowledged
	 */
	@Override
	public Set<UUID> call() throws InterruptedException {
		while (!this.stopping) {
			order();
			Thread.sleep(this.random.nextInt(MAX_PAUSE_MILLIS));
		}
		return this.acknowledged;
	}

	/**
	 * Some errands wait for the one before.
	 */
	private UUID orderAfter(Errand errand) {
		UUID before = this.last;
		return (before != null && this.random.nextInt(WAITING) == 0) ? this.ledger.order(errand, before)
				: this.ledger.order(errand);
	}

	void stop() {
		this.stopping = true;
	}

	/**
	 * Seal the batch that was started before, or start one. A batch of which a commit
	 * failed is left as it is.
	 */
	private void orderBatch() {
		OpenBatch started = this.open;
		this.open = null;
		if (started != null) {
			this.acknowledged.addAll(this.ledger.seal(started, members()));
		}
		else {
			this.open = this.ledger.start(Errand.any(this.random), this.random.nextBoolean(), members());
			this.acknowledged.addAll(this.open.members());
		}
	}

	private List<Errand> members() {
		return Stream.generate(() -> Errand.any(this.random)).limit(this.random.nextInt(MAX_MEMBERS + 1)).toList();
	}

	private void orderTour() {
		this.acknowledged.addAll(this.ledger.order(Tour.any(this.random)));
	}

	private void orderOne() {
		Errand errand = Errand.any(this.random);
		if (this.random.nextInt(CANCELLED) == 0) {
			this.ledger.cancel(errand);
		}
		else {
			this.last = orderAfter(errand);
			this.acknowledged.add(this.last);
		}
	}

	/**
	 * After a failed commit only the ledger says whether it happened. Spring fails with
	 * an {@link IllegalStateException} if the pool was replaced.
	 */
	private void order() {
		try {
			if (this.random.nextInt(BATCHED) == 0) {
				orderBatch();
			}
			else if (this.random.nextInt(TOURS) == 0) {
				orderTour();
			}
			else {
				orderOne();
			}
		}
		catch (DataAccessException | TransactionException | JobRejectedException | IllegalStateException ex) {
			logger.debug("An enqueue call was not acknowledged", ex);
		}
	}

}

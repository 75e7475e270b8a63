package io.jobqueue.benchmark.chaos;

import java.util.Collection;
import java.util.Random;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Orders one errand after the other, some of them in transactions that roll back.
 */
final class Producer extends Thread {

	private static final Logger logger = LoggerFactory.getLogger(Producer.class);

	private static final int MAX_PAUSE_MILLIS = 20;

	private static final int CANCELLED = 10;

	private final Ledger ledger;

	private final Random random;

	private final Collection<UUID> acknowledged;

	private volatile boolean stopping;

	/**
	 * Create a producer.
	 * @param ledger where to order
	 * @param random decides what and when
	 * @param acknowledged gets the jobs whose commit was acknowledged
	 */
	Producer(Ledger ledger, Random random, Collection<UUID> acknowledged) {
		super("producer");
		setDaemon(true);
		this.ledger = ledger;
		this.random = random;
		this.acknowledged = acknowledged;
	}

	@Override
	public void run() {
		try {
			while (!this.stopping) {
				order();
				Thread.sleep(this.random.nextInt(MAX_PAUSE_MILLIS));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * After a failed commit nobody knows what has become of it: the ledger does.
	 */
	private void order() {
		Errand errand = Errand.any(this.random);
		try {
			if (this.random.nextInt(CANCELLED) == 0) {
				this.ledger.cancel(errand);
			}
			else {
				this.acknowledged.add(this.ledger.order(errand));
			}
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("Not acknowledged", ex);
		}
	}

	void finish() throws InterruptedException {
		this.stopping = true;
		join();
	}

}

package io.jobqueue.benchmark.transactional;

import jakarta.persistence.EntityManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobHandler;
import io.jobqueue.benchmark.plain.PlainSql;

/**
 * Persists one entity, the row of a purchase.
 */
class JpaPurchases extends Purchases {

	private final EntityManager entities;

	JpaPurchases(EntityManager entities) {
		this.entities = entities;
	}

	@JobHandler(delivery = Delivery.TRANSACTIONAL)
	void handle(Purchase purchase) {
		this.entities.persist(new PlainOrder(PlainSql.customer(purchase.number())));
		inserted(purchase.number());
	}

}

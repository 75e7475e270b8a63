package io.jobqueue.boot.autoconfigure;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * An entity of the application.
 */
@Entity
class Customer {

	@Id
	private long id;

	protected Customer() {
	}

	Customer(long id) {
		this.id = id;
	}

	long id() {
		return this.id;
	}

}

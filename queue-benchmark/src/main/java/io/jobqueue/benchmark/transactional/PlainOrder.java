package io.jobqueue.benchmark.transactional;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * A business row as an entity, whose id the server numbers.
 */
@Entity
@Table(name = "plain_order")
class PlainOrder {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private @Nullable Long id;

	@Column(nullable = false)
	private @Nullable String customer;

	/**
	 * For Hibernate.
	 */
	PlainOrder() {
	}

	PlainOrder(String customer) {
		this.customer = customer;
	}

}

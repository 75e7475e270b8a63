package io.jobqueue.docs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobResult;

/**
 * Shops that open and close while the application runs.
 */
@Component
class Shops {

	private final JobHandlerRegistry registry;

	private final Map<String, Integer> stock = new ConcurrentHashMap<>();

	Shops(JobHandlerRegistry registry) {
		this.registry = registry;
	}

	void open(String shop) {
		this.registry.register("shop-" + shop, StockCounted.class, (counted, job) -> {
			this.stock.put(counted.product(), counted.pieces());
			return JobResult.success();
		});
	}

	void close(String shop) {
		this.registry.unregister("shop-" + shop, StockCounted.class);
	}

	Map<String, Integer> stock() {
		return this.stock;
	}

}

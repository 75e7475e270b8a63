package io.jobqueue.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;

/**
 * Many changes of a product lead to few runs, of which the last one sees the last change.
 */
@Component
class Products {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	private final List<String> index = new CopyOnWriteArrayList<>();

	Products(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@Transactional
	JobReceipt rename(long productId, String name) {
		this.jdbc.sql("UPDATE product SET name = ? WHERE id = ?").param(name).param(productId).update();
		return this.jobQueue.enqueue(JobRequest.of(new ProductChanged(productId))
			.key("product-" + productId)
			.onDuplicate(OnDuplicate.REQUEUE));
	}

	@JobHandler(queue = "search")
	void index(ProductChanged change) {
		this.index.add(this.jdbc.sql("SELECT name FROM product WHERE id = ?")
			.param(change.productId())
			.query(String.class)
			.single());
	}

	List<String> indexed() {
		return this.index;
	}

}

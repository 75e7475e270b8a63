package io.jobqueue.docs;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.Batch;
import io.jobqueue.BatchInfo;
import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;

/**
 * Imports prices in a batch, and reports when all of them have ended.
 */
@Component
class PriceImports {

	private final JobQueue jobQueue;

	private final List<String> reports = new CopyOnWriteArrayList<>();

	PriceImports(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	UUID importPrices(long file, List<List<PriceRow>> portions) {
		Batch batch = this.jobQueue.batch("prices-" + file)
			.then(new PublishPrices(file))
			.onFailure(new ReportImport(file))
			.start();
		portions.forEach(batch::add);
		batch.seal();
		return batch.id();
	}

	long percent(UUID batchId) {
		BatchInfo info = this.jobQueue.batch(batchId).info();
		return 100 * (info.total() - info.unfinished()) / Math.max(1, info.total());
	}

	@JobHandler(queue = "prices")
	void handle(ReportImport report, JobContext job) {
		BatchInfo info = Objects.requireNonNull(job.batch());
		send("File %d: %d of %d prices failed".formatted(report.file(), info.failed(), info.total()));
	}

	@JobHandler(queue = "prices")
	void handle(PublishPrices prices) {
		send("File %d is published".formatted(prices.file()));
	}

	@JobHandler(queue = "prices", maxAttempts = 1)
	void handle(PriceRow row) {
		if (row.cents() < 0) {
			throw new IllegalArgumentException("A price cannot be negative");
		}
	}

	@Transactional
	void importCatalog(long file) {
		Batch batch = this.jobQueue.batch("catalog-" + file).then(new PublishPrices(file)).start();
		batch.add(List.of(new ReadCatalog(file, batch.id())));
	}

	@JobHandler(queue = "prices", delivery = Delivery.TRANSACTIONAL)
	void handle(ReadCatalog catalog) {
		Batch batch = this.jobQueue.batch(catalog.batchId());
		batch.add(rows(catalog));
		batch.seal();
	}

	private static List<PriceRow> rows(ReadCatalog catalog) {
		return List.of(new PriceRow("tea", 390 + catalog.file()), new PriceRow("mate", 450));
	}

	private void send(String report) {
		this.reports.add(report);
	}

	List<String> reports() {
		return this.reports;
	}

	record PriceRow(String product, long cents) {
	}

	record PublishPrices(long file) {
	}

	record ReportImport(long file) {
	}

	record ReadCatalog(long file, UUID batchId) {
	}

}

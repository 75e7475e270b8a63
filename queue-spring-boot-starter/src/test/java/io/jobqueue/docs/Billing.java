package io.jobqueue.docs;

import java.util.Collection;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;

/**
 * Enqueues many jobs.
 */
@Service
class Billing {

	private final Logger log = LoggerFactory.getLogger(getClass());

	private final JobQueue jobQueue;

	Billing(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	@Transactional
	void bill(Collection<Long> invoiceIds) {
		List<JobRequest> requests = invoiceIds.stream().map((id) -> JobRequest.of(new InvoiceDue(id))).toList();
		List<JobReceipt> receipts = this.jobQueue.enqueueAll(requests);
		this.log.info("Enqueued {}", receipts.stream().map(JobReceipt::id).toList());
	}

}

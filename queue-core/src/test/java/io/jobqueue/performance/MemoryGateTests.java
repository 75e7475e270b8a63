package io.jobqueue.performance;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.ToLongFunction;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;

/**
 * The bytes that threads allocate for each job, and the waits of threads and the
 * transactions of a job that comes alone. Code that is not compiled allocates most, so
 * that the figures do not depend on the compiler.
 */
class MemoryGateTests extends GateTestBase {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final int JOBS = 10_000;

	private static final int SINGLE_JOBS = 200;

	@BeforeEach
	void keepThreads() {
		THREADS.setThreadAllocatedMemoryEnabled(true);
	}

	@Test
	void bytesOfAJobFromItsClaimToItsArchive() {
		enqueue(JOBS);
		QueueNode node = node(usual(Duration.ofHours(1)));
		long before = total(THREADS::getThreadAllocatedBytes);
		node.start();
		await().until(() -> count("jobqueue_archive") == JOBS);
		double bytes = total(THREADS::getThreadAllocatedBytes) - before;
		Gate.atMost(6_500, bytes / JOBS, "Allocated bytes per job from claim to archive");
	}

	@Test
	void bytesOfAnEnqueue() {
		QueueNode producer = producer();
		TransactionTemplate transaction = new TransactionTemplate(producer.transactionManager());
		long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
		for (int job = 0; job < SINGLE_JOBS; job++) {
			transaction.executeWithoutResult((status) -> producer.queue().enqueue("emails", new Mail("hello")));
		}
		double bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
		Gate.atMost(9_000, bytes / SINGLE_JOBS, "Allocated bytes per enqueue with its transaction");
	}

	@Test
	void waitsAndTransactionsOfAJobThatComesAlone() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		QueueNode node = node(usual(counting, Duration.ofHours(1))).start();
		runOneByOne(node, 0, SINGLE_JOBS);
		int sent = counting.sent().size();
		long waits = total(MemoryGateTests::waits);
		runOneByOne(node, SINGLE_JOBS, 2 * SINGLE_JOBS);
		Gate.atMost(4, (total(MemoryGateTests::waits) - waits) / (double) SINGLE_JOBS, "Waits of threads per job");
		Gate.atMost(4, (counting.sent().size() - sent) / (double) SINGLE_JOBS, "Transactions per job");
	}

	private void runOneByOne(QueueNode node, int from, int to) {
		for (int job = from; job < to; job++) {
			node.queue().enqueue(JobRequest.of("emails", new Mail("hello")));
			int finished = job + 1;
			await().until(() -> count("jobqueue_archive") == finished);
		}
	}

	private static long waits(long thread) {
		return THREADS.getThreadInfo(thread).getWaitedCount();
	}

	/**
	 * Threads that have ended are not known any more.
	 */
	private static long total(ToLongFunction<Long> figure) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("jobqueue@"))
			.mapToLong((thread) -> figure.applyAsLong(thread.getId()))
			.sum();
	}

}

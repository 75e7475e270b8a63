package io.jobqueue.performance;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.function.ToLongFunction;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.CountingDataSource;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;

/**
 * The bytes that threads allocate for each job, and the waits of threads and the
 * transactions of a job that comes alone. Compiled code allocates less: the limits hold
 * for interpreted code.
 */
@Tag("slow") // runs 10,000 jobs, and 400 one after the other
class MemoryGateTests extends GateTestBase {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final int JOBS = 10_000;

	private static final int SINGLE_JOBS = 200;

	@BeforeEach
	void measureMemory() {
		THREADS.setThreadAllocatedMemoryEnabled(true);
	}

	@Test
	void bytesOfAJobFromItsClaimToItsArchive() {
		enqueue(JOBS);
		QueueNode node = node(usual(Duration.ofHours(1)));
		long before = total(MemoryGateTests::bytes);
		node.start();
		await().until(() -> count("jobqueue_archive") == JOBS);
		double bytes = total(MemoryGateTests::bytes) - before;
		Gate.atMost(5_900, bytes / JOBS, "Allocated bytes per job from claim to archive");
	}

	@Test
	void bytesOfAnEnqueue() {
		QueueNode producer = producer();
		TransactionTemplate transaction = new TransactionTemplate(producer.transactionManager());
		enqueueOneByOne(producer, transaction);
		long before = bytes(Thread.currentThread().getId());
		enqueueOneByOne(producer, transaction);
		double bytes = bytes(Thread.currentThread().getId()) - before;
		Gate.atMost(7_000, bytes / SINGLE_JOBS, "Allocated bytes per enqueue with its transaction");
	}

	private static void enqueueOneByOne(QueueNode producer, TransactionTemplate transaction) {
		for (int job = 0; job < SINGLE_JOBS; job++) {
			transaction.executeWithoutResult((status) -> producer.queue().enqueue("emails", new Mail("hello")));
		}
	}

	/**
	 * One wait ends when a thread begins to handle the job, one when a thread records its
	 * outcome. Timers wait as well, so that the figure is that of the job with the fewest
	 * waits.
	 */
	@Test
	void waitsOfAJobThatComesAlone() {
		QueueNode node = node(usual(Duration.ofHours(1))).start();
		long fewest = Long.MAX_VALUE;
		for (int job = 0; job < SINGLE_JOBS; job++) {
			long before = total(MemoryGateTests::waits);
			run(node, job + 1);
			fewest = Math.min(fewest, total(MemoryGateTests::waits) - before);
		}
		Gate.atMost(2, (double) fewest, "Waits of threads for a job");
	}

	@Test
	void transactionsOfAJobThatComesAlone() {
		CountingDataSource counting = new CountingDataSource(this.pool);
		QueueNode node = node(usual(counting, Duration.ofHours(1)).pollInterval(Duration.ofHours(1))).start();
		run(node, 1);
		int sent = counting.sent().size();
		for (int job = 1; job < SINGLE_JOBS; job++) {
			run(node, job + 1);
		}
		Gate.atMost(3.5, (counting.sent().size() - sent) / (SINGLE_JOBS - 1.0), "Transactions for a job");
	}

	private void run(QueueNode node, int finished) {
		node.queue().enqueue(JobRequest.of("emails", new Mail("hello")));
		await().until(() -> count("jobqueue_archive") == finished);
	}

	private static long waits(long thread) {
		ThreadInfo info = THREADS.getThreadInfo(thread);
		return (info != null) ? info.getWaitedCount() : 0;
	}

	private static long bytes(long thread) {
		return Math.max(0, THREADS.getThreadAllocatedBytes(thread));
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

package io.jobqueue.performance;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
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

	/**
	 * One wait ends when a thread begins to handle the job, one when a thread records its
	 * outcome. Timers wait as well, and a busy machine stretches many jobs beyond their
	 * periods: the figure is that of the job which has fewer waits than nine tenths of
	 * the others.
	 */
	@Test
	void waitsOfAJobThatComesAlone() {
		QueueNode node = node(usual(Duration.ofHours(1))).start();
		long[] waits = new long[SINGLE_JOBS];
		for (int job = 0; job < SINGLE_JOBS; job++) {
			long before = total(MemoryGateTests::waits);
			run(node, job + 1);
			waits[job] = total(MemoryGateTests::waits) - before;
		}
		Arrays.sort(waits);
		Gate.atMost(2, (double) waits[SINGLE_JOBS / 10], "Waits of threads for a job");
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
		Gate.atMost(4, (counting.sent().size() - sent) / (SINGLE_JOBS - 1.0), "Transactions for a job");
	}

	private void run(QueueNode node, int finished) {
		node.queue().enqueue(JobRequest.of("emails", new Mail("hello")));
		await().until(() -> count("jobqueue_archive") == finished);
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

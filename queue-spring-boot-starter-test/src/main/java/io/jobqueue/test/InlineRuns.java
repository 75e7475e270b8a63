package io.jobqueue.test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

import io.jobqueue.JobInterceptor;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;

/**
 * Runs jobs on the enqueuing thread after its commit, outside its transaction.
 */
final class InlineRuns implements JobInterceptor, Ordered {

	private final InlineJobs jobs;

	private final ObjectProvider<TestJobsDelegate> delegate;

	/**
	 * The jobs that run inline, also those that are not due yet.
	 */
	private final Set<UUID> all = ConcurrentHashMap.newKeySet();

	/**
	 * The jobs that each thread is running. What they enqueue is added.
	 */
	private final Map<Thread, Set<UUID>> running = new ConcurrentHashMap<>();

	InlineRuns(InlineJobs jobs, ObjectProvider<TestJobsDelegate> delegate) {
		this.jobs = jobs;
		this.delegate = delegate;
	}

	/**
	 * Follows all interceptors of the application, which may change the requests.
	 */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public List<JobReceipt> aroundEnqueue(List<JobRequest> requests,
			Function<List<JobRequest>, List<JobReceipt>> next) {
		List<JobReceipt> receipts = next.apply(requests);
		List<UUID> inline = IntStream.range(0, requests.size())
			.filter((index) -> receipts.get(index).accepted() && this.jobs.runsInline(requests.get(index)))
			.mapToObj((index) -> receipts.get(index).id())
			.toList();
		if (!inline.isEmpty()) {
			afterCommit().ids.addAll(inline);
		}
		return receipts;
	}

	/**
	 * A transaction has one, as Spring calls none after one that throws.
	 */
	private AfterCommit afterCommit() {
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof AfterCommit existing && existing.isOf(this)) {
				return existing;
			}
		}
		AfterCommit added = new AfterCommit();
		TransactionSynchronizationManager.registerSynchronization(added);
		return added;
	}

	private void committed(List<UUID> ids) {
		this.all.addAll(ids);
		Set<UUID> current = this.running.get(Thread.currentThread());
		if (current != null) {
			current.addAll(ids);
		}
		else {
			run(new HashSet<>(ids));
		}
	}

	/**
	 * Run the jobs that are due by now.
	 */
	void runDue() {
		run(this.all);
	}

	private void run(Set<UUID> ids) {
		this.running.put(Thread.currentThread(), ids);
		try {
			this.delegate.getObject().runs().outside(ids::contains);
		}
		catch (Exception ex) {
			ReflectionUtils.rethrowRuntimeException(ex);
		}
		finally {
			this.running.remove(Thread.currentThread());
		}
	}

	/**
	 * Spring passes what it throws to the caller of the commit.
	 */
	private final class AfterCommit implements TransactionSynchronization {

		private final List<UUID> ids = new ArrayList<>();

		private boolean isOf(InlineRuns runs) {
			return InlineRuns.this == runs;
		}

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			committed(this.ids);
		}

	}

}

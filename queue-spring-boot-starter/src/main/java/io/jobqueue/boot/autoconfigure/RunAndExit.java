package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

import io.jobqueue.internal.worker.JobWorker;
import io.jobqueue.internal.worker.completion.RunCounter.RunCounts;

/**
 * Ends the application and the JVM once no jobs are due.
 */
final class RunAndExit implements ApplicationRunner, ExitCodeGenerator, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(RunAndExit.class);

	private final JobWorker worker;

	private final WorkerLifecycle lifecycle;

	private final ApplicationContext context;

	private volatile @Nullable RunCounts counts;

	RunAndExit(JobWorker worker, WorkerLifecycle lifecycle, ApplicationContext context) {
		this.worker = worker;
		this.lifecycle = lifecycle;
		this.context = context;
	}

	/**
	 * Start the worker, which does not have to wait for this runner. Exit even if threads
	 * of the application are still running. An application that was stopped meanwhile
	 * exits without this call.
	 */
	@Override
	public void run(ApplicationArguments arguments) throws InterruptedException {
		this.lifecycle.start();
		RunCounts result = this.worker.drain();
		this.counts = result;
		if (result.drained()) {
			logger.info("{}. Succeeded jobs: {}, failed attempts: {}, dead jobs: {}, cancelled jobs: {}",
					reason(result), result.succeeded(), result.failed(), result.dead(), result.cancelled());
			System.exit(SpringApplication.exit(this.context));
		}
	}

	private static String reason(RunCounts result) {
		return result.halted().isEmpty() ? "No jobs are due"
				: "Jobs are still due in queues that claim no further jobs on this node, " + result.halted();
	}

	@Override
	public int getExitCode() {
		RunCounts result = this.counts;
		return (result == null || result.areAllSuccessful()) ? 0 : 1;
	}

	/**
	 * Run last: jobs that other runners enqueue are due, too.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}

package io.jobqueue.benchmark.subject;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.JobResult;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/**
 * Twenty queues whose jobs work for a while or fail. They are there only if asked for.
 */
@ConditionalOnBooleanProperty("benchmark.many-queues")
public final class ManyQueues {

	/**
	 * The setting that asks for them.
	 */
	public static final String WANTED = "benchmark.many-queues=true";

	/**
	 * Keeps quiet that jobs fail, that one type is in many queues, and that jobs wait.
	 */
	public static final String QUIET = "logging.level.io.jobqueue=error";

	public static final int COUNT = 20;

	private volatile Listener started = (work, job) -> {
	};

	private volatile Listener succeeded = (work, job) -> {
	};

	ManyQueues(JobHandlerRegistry registry) {
		IntStream.range(0, COUNT).forEach((number) -> registry.register(name(number), Work.class, this::work));
	}

	/**
	 * Return the name of a queue.
	 * @param number its number, from 0 and below {@link #COUNT}, which is not checked
	 * @return the name
	 */
	public static String name(int number) {
		return "queue-" + number;
	}

	/**
	 * Return the names of the first queues.
	 * @param count how many
	 * @return the names, separated by commas
	 */
	public static String names(int count) {
		return IntStream.range(0, count).mapToObj(ManyQueues::name).collect(Collectors.joining(","));
	}

	/**
	 * Replace the listeners of all queues.
	 * @param started is called for each attempt that begins
	 * @param succeeded is called for each that will succeed, before that is written
	 */
	public void onJob(Listener started, Listener succeeded) {
		this.started = started;
		this.succeeded = succeeded;
	}

	private JobResult work(Work work, JobContext job) throws InterruptedException {
		this.started.accept(work, job);
		Thread.sleep(work.millis());
		if (job.attempt() <= work.failures()) {
			throw new IllegalStateException("This attempt fails");
		}
		this.succeeded.accept(work, job);
		return JobResult.success();
	}

	/**
	 * Is called for jobs, on the thread of their handler.
	 */
	@FunctionalInterface
	public interface Listener {

		/**
		 * Take note of an attempt. It fails with whatever this throws.
		 * @param work what it does
		 * @param job its job
		 */
		void accept(Work work, JobContext job);

	}

}

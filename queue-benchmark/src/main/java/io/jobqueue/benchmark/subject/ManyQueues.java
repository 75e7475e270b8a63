package io.jobqueue.benchmark.subject;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/**
 * Twenty queues whose jobs work for a while or fail. They are there only if asked for.
 */
@ConditionalOnBooleanProperty("benchmark.many-queues")
public class ManyQueues {

	/**
	 * The setting that asks for them.
	 */
	public static final String WANTED = "benchmark.many-queues=true";

	/**
	 * Keeps quiet that jobs fail, and that one type is in many queues.
	 */
	public static final String QUIET = "logging.level.io.jobqueue=error";

	public static final int COUNT = 20;

	private static final String NAME = "queue-";

	private volatile Listener started = (work, job) -> {
	};

	private volatile Listener succeeded = (work, job) -> {
	};

	/**
	 * Return the name of a queue.
	 * @param number its number, from 0 and below {@link #COUNT}, which is not checked
	 * @return the name
	 */
	public static String name(int number) {
		return NAME + number;
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

	private void work(Work work, JobContext job) throws InterruptedException {
		this.started.accept(work, job);
		Thread.sleep(work.millis());
		if (job.attempt() <= work.failures()) {
			throw new IllegalStateException("This attempt fails");
		}
		this.succeeded.accept(work, job);
	}

	@JobHandler(queue = NAME + 0)
	void handle0(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 1)
	void handle1(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 2)
	void handle2(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 3)
	void handle3(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 4)
	void handle4(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 5)
	void handle5(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 6)
	void handle6(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 7)
	void handle7(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 8)
	void handle8(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 9)
	void handle9(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 10)
	void handle10(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 11)
	void handle11(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 12)
	void handle12(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 13)
	void handle13(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 14)
	void handle14(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 15)
	void handle15(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 16)
	void handle16(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 17)
	void handle17(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 18)
	void handle18(Work work, JobContext job) throws InterruptedException {
		work(work, job);
	}

	@JobHandler(queue = NAME + 19)
	void handle19(Work work, JobContext job) throws InterruptedException {
		work(work, job);
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

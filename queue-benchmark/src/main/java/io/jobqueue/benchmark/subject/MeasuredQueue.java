package io.jobqueue.benchmark.subject;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.benchmark.timing.Progress;
import io.jobqueue.benchmark.timing.Rate;
import io.jobqueue.internal.worker.JobWorker;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application whose queue is measured. Its worker runs only on request, so that
 * several can share a database.
 */
public final class MeasuredQueue implements AutoCloseable {

	private static final int CALL = 1_000;

	private final BenchmarkDatabase database;

	private final ConfigurableApplicationContext application;

	private MeasuredQueue(BenchmarkDatabase database, ConfigurableApplicationContext application) {
		this.database = database;
		this.application = application;
	}

	/**
	 * Start an application, its worker stopped.
	 * @param database the database
	 * @param settings settings that differ from the defaults, as {@code key=value}
	 * @return the application
	 */
	public static MeasuredQueue start(BenchmarkDatabase database, String... settings) {
		return startWith(BenchmarkApplication.class, database, settings);
	}

	/**
	 * Start an application with further beans, its worker stopped.
	 * @param more the class of a bean, such as a configuration
	 * @param database the database
	 * @param settings settings that differ from the defaults, as {@code key=value}
	 * @return the application
	 */
	public static MeasuredQueue startWith(Class<?> more, BenchmarkDatabase database, String... settings) {
		MeasuredQueue queue = new MeasuredQueue(database, BenchmarkApplication.start(more, database.url(), settings));
		queue.stopWorker();
		return queue;
	}

	/**
	 * Return a bean of the application.
	 * @param type its type
	 * @param <T> its type
	 * @return the bean
	 */
	public <T> T bean(Class<T> type) {
		return this.application.getBean(type);
	}

	/**
	 * Return where the application enqueues.
	 * @return its queue
	 */
	public JobQueue jobQueue() {
		return bean(JobQueue.class);
	}

	/**
	 * Return the handlers of no-op jobs, which every application has.
	 * @return the handlers
	 */
	public NoOps noOps() {
		return bean(NoOps.class);
	}

	/**
	 * Return the handlers of the twenty queues. Asking for them fails unless the
	 * application was started with {@link ManyQueues#WANTED}.
	 * @return the handlers
	 */
	public ManyQueues manyQueues() {
		return bean(ManyQueues.class);
	}

	/**
	 * Return the connections of the application.
	 * @return its pool
	 */
	public DataSource dataSource() {
		return bean(DataSource.class);
	}

	/**
	 * Return the way into transactions of the application, with Spring's defaults.
	 * @return a new template
	 */
	public TransactionTemplate transaction() {
		return new TransactionTemplate(bean(PlatformTransactionManager.class));
	}

	/**
	 * Start the worker, without waiting until it has looked for jobs. This fails if the
	 * settings leave the application without one.
	 */
	public void startWorker() {
		bean(JobWorker.class).start();
	}

	/**
	 * Stop the worker, if there is one, as an application does that shuts down: handlers
	 * may finish within the shutdown timeout, jobs that are left stay.
	 */
	public void stopWorker() {
		this.application.getBeanProvider(JobWorker.class).ifAvailable(JobWorker::stop);
	}

	/**
	 * Enqueue no-op jobs.
	 * @param jobs how many
	 */
	public void fill(int jobs) {
		fill(jobs, NoOp::new);
	}

	/**
	 * Enqueue jobs, 1,000 a call.
	 * @param jobs how many
	 * @param payload makes the payload of each from its number
	 */
	public void fill(int jobs, IntFunction<?> payload) {
		for (int from = 0; from < jobs; from += CALL) {
			jobQueue().enqueueAll(IntStream.range(from, Math.min(jobs, from + CALL)).mapToObj(payload).toList());
		}
	}

	/**
	 * Make requests for no-op jobs that hold their numbers, without enqueueing them.
	 * @param from the number of the first
	 * @param to the number after the last
	 * @return the requests
	 */
	public static List<JobRequest> requests(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> JobRequest.of(new NoOp(number))).toList();
	}

	/**
	 * Fill the empty table, and measure from the start of the worker until no job is
	 * left.
	 * @param jobs how many
	 * @return jobs per second
	 */
	public double drain(int jobs) throws InterruptedException, SQLException {
		this.database.removeJobs();
		fill(jobs);
		this.database.settle();
		return drainFilled(expect(Progress.of(jobs)));
	}

	/**
	 * Measure from the start of the worker until the last outcome is recorded.
	 * @param progress counts the jobs that the listener of the handlers adds, and expects
	 * all there are
	 * @return jobs per second
	 */
	public double drainFilled(Progress progress) throws InterruptedException, SQLException {
		return drainFilled(bean(JobWorker.class), progress.expected(), progress::await);
	}

	/**
	 * Measure from the start of a worker until the last outcome is recorded. The claims
	 * are looked at only when all jobs have been handled, so that reading them delays no
	 * job, on a connection of the pool that is taken before.
	 * @param worker the worker, which is stopped afterwards
	 * @param jobs how many there are
	 * @param handled waits until all of them have been handled
	 * @return jobs per second
	 */
	public double drainFilled(Lifecycle worker, int jobs, Handled handled) throws InterruptedException, SQLException {
		try (Connection connection = dataSource().getConnection();
				PreparedStatement anyClaimed = connection.prepareStatement(QueueSql.ANY_CLAIMED)) {
			long start = System.nanoTime();
			worker.start();
			handled.await();
			awaitNone(anyClaimed);
			return Rate.of(jobs, start);
		}
		finally {
			worker.stop();
		}
	}

	/**
	 * Let the worker run until that much is done. Jobs that are left stay.
	 * @param progress what is expected of it
	 */
	public void run(Progress progress) throws InterruptedException {
		expect(progress);
		startWorker();
		try {
			progress.await();
		}
		finally {
			stopWorker();
		}
	}

	private Progress expect(Progress progress) {
		noOps().onJob((number) -> progress.add(1));
		return progress;
	}

	private static void awaitNone(PreparedStatement any) throws InterruptedException, SQLException {
		while (isTrue(any)) {
			Thread.sleep(1);
		}
	}

	private static boolean isTrue(PreparedStatement query) throws SQLException {
		try (ResultSet row = query.executeQuery()) {
			return row.next() && row.getBoolean(1);
		}
	}

	@Override
	public void close() {
		this.application.close();
	}

	/**
	 * Waits until jobs have been handled.
	 */
	@FunctionalInterface
	public interface Handled {

		/**
		 * Wait until all jobs have been handled.
		 */
		void await() throws InterruptedException;

	}

}

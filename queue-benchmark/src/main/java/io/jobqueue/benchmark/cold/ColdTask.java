package io.jobqueue.benchmark.cold;

import java.util.List;

import io.jobqueue.benchmark.enqueue.EnqueueInTransaction;
import io.jobqueue.benchmark.subject.Backlog;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;

/**
 * A task of a fresh JVM, which runs once in an application with the queue or without.
 *
 * @param name the name
 * @param settings the settings of the application
 * @param preparation fills or empties the tables
 * @param measurement runs the task
 */
record ColdTask(String name, List<String> settings, Preparation preparation, Measurement measurement) {

	private static final List<String> WITHOUT_QUEUE = List.of("jobqueue.enabled=false");

	private static final List<String> PRODUCER = List.of(EnqueueInTransaction.NO_WORKER);

	private static final List<String> DELETING = List.of("jobqueue.defaults.retention.succeeded=0");

	static final ColdTask QUEUE_DRAIN = new ColdTask("queue-drain", DELETING, ColdTask::fill, QueueTasks::drain);

	static final ColdTask PLAIN_DRAIN = plain("plain-drain", PlainTasks::fill, PlainTasks::drain);

	static final ColdTask QUEUE_LATENCY = new ColdTask("queue-latency", List.of(), ColdTask::empty,
			QueueTasks::latency);

	static final ColdTask PLAIN_LATENCY = plain("plain-latency", PlainTasks::create, PlainTasks::latency);

	static final ColdTask QUEUE_IDLE = new ColdTask("queue-idle", List.of(), ColdTask::empty, QueueTasks::idle);

	static final ColdTask PLAIN_IDLE = plain("plain-idle", PlainTasks::create, PlainTasks::idle);

	static final ColdTask QUEUE_TRANSACTIONS = new ColdTask("queue-transactions", PRODUCER, ColdTask::empty,
			QueueTasks::transactions);

	static final ColdTask PLAIN_TRANSACTIONS = plain("plain-transactions", ColdTask::empty, PlainTasks::transactions);

	static final ColdTask LEAN_TRANSACTIONS = plain("lean-transactions", ColdTask::empty, PlainTasks::leanTransactions);

	static final ColdTask BUSINESS_TRANSACTIONS = plain("business-transactions", ColdTask::empty,
			PlainTasks::businessTransactions);

	static final ColdTask QUEUE_BULK = new ColdTask("queue-bulk", PRODUCER, ColdTask::empty, QueueTasks::bulk);

	static final ColdTask PLAIN_BULK = plain("plain-bulk", ColdTask::empty, PlainTasks::bulk);

	static final ColdTask LEAN_BULK = plain("lean-bulk", ColdTask::empty, PlainTasks::leanBulk);

	static final ColdTask QUEUE_FIRST = new ColdTask("queue-first", List.of(), ColdTask::fill, QueueTasks::first);

	static final ColdTask SCHEDULER_FIRST = plain("scheduler-first", SchedulerTask::fill, SchedulerTask::first);

	private static ColdTask plain(String name, Preparation preparation, Measurement measurement) {
		return new ColdTask(name, WITHOUT_QUEUE, preparation, measurement);
	}

	static List<ColdTask> all() {
		return List.of(QUEUE_DRAIN, PLAIN_DRAIN, QUEUE_LATENCY, PLAIN_LATENCY, QUEUE_IDLE, PLAIN_IDLE,
				QUEUE_TRANSACTIONS, PLAIN_TRANSACTIONS, LEAN_TRANSACTIONS, BUSINESS_TRANSACTIONS, QUEUE_BULK,
				PLAIN_BULK, LEAN_BULK, QUEUE_FIRST, SCHEDULER_FIRST);
	}

	static ColdTask named(String name) {
		return all().stream().filter((task) -> task.name().equals(name)).findFirst().orElseThrow();
	}

	/**
	 * Start an application that is configured for the task.
	 */
	MeasuredQueue start(BenchmarkDatabase database) {
		return MeasuredQueue.start(database, this.settings.toArray(String[]::new));
	}

	private static void empty(BenchmarkDatabase database, int size) {
		database.removeJobs();
		PlainTasks.empty(database);
	}

	private static void fill(BenchmarkDatabase database, int jobs) {
		database.removeJobs();
		Backlog.DUE.fill(database, jobs);
	}

	/**
	 * Empties or fills the tables, in the JVM that measures.
	 */
	@FunctionalInterface
	interface Preparation {

		void prepare(BenchmarkDatabase database, int size);

	}

	/**
	 * Runs the task once, in the fresh JVM.
	 */
	@FunctionalInterface
	interface Measurement {

		ColdFigures measure(MeasuredQueue application, int size) throws Exception;

	}

}

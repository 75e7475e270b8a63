package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.jobqueue.RecurringJobs;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * What is going to break: a server, the way to it, an application that produces and
 * workers that are processes of their own, one of them an hour ahead of its time. Half of
 * the workers let all handlers end before they stop, the others interrupt long ones.
 */
final class Cluster implements AutoCloseable {

	private static final int WORKERS = 4;

	private static final String NAME = "worker-";

	/**
	 * The log of this process is read by people, who know that connections break, and
	 * that a server that has crashed cannot be stopped.
	 */
	private static final String[] PRODUCER = { "jobqueue.worker.enabled=false", "logging.level.com.zaxxer.hikari=error",
			"logging.level.org.springframework.transaction.support=off",
			"logging.level.org.springframework.jdbc.support=off", "logging.level.io.zonky=off",
			"logging.level.io.jobqueue=error", "logging.level.io.jobqueue.benchmark=warn" };

	private final DurableServer server = new DurableServer();

	private final CuttableProxy proxy = new CuttableProxy(this.server.port());

	private final ConfigurableApplicationContext application;

	private final List<SupervisedWorker> workers = new ArrayList<>();

	/**
	 * Start everything but the workers.
	 */
	Cluster() throws IOException {
		this.application = ChaosApplication.start(url(), PRODUCER);
		this.server.sql().sql(Ledger.TABLES).update();
	}

	/**
	 * Start the workers, and wait until they are there.
	 * @param logs the folder for their logs
	 */
	void startWorkers(Path logs) throws IOException {
		Files.createDirectories(logs);
		for (int number = 1; number <= WORKERS; number++) {
			String name = NAME + number;
			this.workers.add(new SupervisedWorker(logs.resolve(name + ".log"), url(), "jobqueue.worker.name=" + name,
					ChaosApplication.CLOCK_AHEAD + ((number == WORKERS) ? "1h" : "0s"),
					ChaosApplication.SHUTDOWN_TIMEOUT + ((number % 2 == 0) ? "5s" : "500ms")));
		}
		this.workers.forEach(SupervisedWorker::awaitReady);
	}

	private String url() {
		return DurableServer.url(this.proxy.port());
	}

	DurableServer server() {
		return this.server;
	}

	CuttableProxy proxy() {
		return this.proxy;
	}

	/**
	 * Replace the pool of the producers.
	 */
	void replacePool() {
		this.application.getBean(ReplaceablePool.class).replace();
	}

	Ledger ledger() {
		return this.application.getBean(Ledger.class);
	}

	Schedules schedules() {
		return new Schedules(this.application.getBean(RecurringJobs.class));
	}

	SupervisedWorker anyWorker(Random random) {
		return this.workers.get(random.nextInt(this.workers.size()));
	}

	SupervisedWorker worker(String name) {
		return this.workers.get(Integer.parseInt(name.substring(NAME.length())) - 1);
	}

	/**
	 * Let the workers stop in their own time, so that no handler does anything any more.
	 */
	void stopWorkers() throws Exception {
		for (SupervisedWorker worker : this.workers) {
			worker.stop();
		}
	}

	@Override
	public void close() throws IOException {
		this.workers.forEach(SupervisedWorker::close);
		this.application.close();
		this.proxy.close();
		this.server.close();
	}

}

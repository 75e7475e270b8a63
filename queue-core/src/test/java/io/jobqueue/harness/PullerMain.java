package io.jobqueue.harness;

import java.util.Map;

import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.PulledJob;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * A JVM that pulls a job, prints a line, and never ends it.
 */
public final class PullerMain {

	private PullerMain() {
	}

	/**
	 * Start another JVM.
	 * @param database the database
	 * @return the JVM, which prints {@code PULLED} with the job's id
	 */
	public static ChildJvm start(TestDatabase database) {
		return ChildJvm.start(PullerMain.class,
				Map.of("URL", database.jdbcUrl(), "USERNAME", database.username(), "PASSWORD", database.password()));
	}

	/**
	 * Pull a job, and wait to be killed.
	 * @param arguments none
	 * @throws InterruptedException if the thread is interrupted
	 */
	@SuppressWarnings("resource")
	public static void main(String[] arguments) throws InterruptedException {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv("URL"));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		QueueNode node = new QueueNode(new TestNodeSettings(dataSource).name("victim").timeout(NodeMain.TIMEOUT))
			.start();
		PulledJob<Mail> job = node.puller().pull("emails", Mail.class, NodeMain.TIMEOUT.multipliedBy(10));
		System.out.println("PULLED " + ((job != null) ? job.context().id() : "nothing"));
		Thread.currentThread().join();
	}

}

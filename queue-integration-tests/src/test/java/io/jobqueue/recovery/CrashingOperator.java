package io.jobqueue.recovery;

import java.util.Map;
import java.util.UUID;

import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.TestDatabase;

/**
 * An operator in a JVM of its own, who ends jobs that wait.
 */
final class CrashingOperator {

	static final String APPLICATION_NAME = "operator";

	private CrashingOperator() {
	}

	static ChildJvm start(TestDatabase database, Ending ending, UUID job) {
		return ChildJvm.start(CrashingOperator.class, Map.of("URL", database.directJdbcUrl(), "USERNAME",
				database.username(), "PASSWORD", database.password()), ending.name(), job.toString());
	}

	public static void main(String[] arguments) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(System.getenv("URL"));
		dataSource.setUser(System.getenv("USERNAME"));
		dataSource.setPassword(System.getenv("PASSWORD"));
		dataSource.setApplicationName(APPLICATION_NAME);
		try (QueueNode node = new QueueNode(new TestNodeSettings(dataSource))) {
			Ending.valueOf(arguments[0]).of(node.operations(), UUID.fromString(arguments[1]));
		}
	}

	/**
	 * How the job ends, or all jobs.
	 */
	enum Ending {

		CANCEL, DELETE, DELETE_ALL;

		void of(JobOperations operations, UUID job) {
			switch (this) {
				case CANCEL -> operations.cancel(job);
				case DELETE -> operations.delete(job);
				case DELETE_ALL -> operations.bulk().delete(JobQuery.all());
			}
		}

	}

}

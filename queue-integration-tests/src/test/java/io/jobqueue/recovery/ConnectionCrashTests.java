package io.jobqueue.recovery;

/**
 * All connections of the worker are killed.
 */
class ConnectionCrashTests extends CrashPointTestBase {

	@Override
	void kill() {
		this.sql.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?")
			.param(CrashingNode.APPLICATION_NAME)
			.query()
			.listOfRows();
		node().say(CrashingNode.OPEN);
	}

}

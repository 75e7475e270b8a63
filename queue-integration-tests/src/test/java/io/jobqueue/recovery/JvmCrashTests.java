package io.jobqueue.recovery;

/**
 * The JVM of the worker is killed, and another one starts.
 */
class JvmCrashTests extends CrashPointTestBase {

	@Override
	void kill() {
		node().kill();
		start();
	}

}

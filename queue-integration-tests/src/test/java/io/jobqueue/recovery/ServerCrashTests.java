package io.jobqueue.recovery;

/**
 * The server crashes, and starts again on what it had written.
 */
class ServerCrashTests extends CrashPointTestBase {

	@Override
	void kill() {
		this.server.crash();
		node().say(CrashingNode.OPEN);
	}

}

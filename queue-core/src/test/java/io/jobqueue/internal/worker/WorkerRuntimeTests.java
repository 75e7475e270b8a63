package io.jobqueue.internal.worker;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stop of a worker while the system has no thread left.
 */
class WorkerRuntimeTests extends NodeTestBase {

	@Test
	void stopContinuesWithoutAThreadForItsTimeLimit() {
		WorkerRuntime runtime = node(settings()).workerRuntime((role) -> (work) -> {
			if (role.equals("heartbeat")) {
				throw new InternalError("unable to create native thread");
			}
			return new Thread(work);
		});
		try (CapturedLog log = new CapturedLog()) {
			runtime.giveUpAfter(Duration.ZERO);
			assertThat(log.messages("Could not limit the time")).hasSize(1);
		}
	}

}

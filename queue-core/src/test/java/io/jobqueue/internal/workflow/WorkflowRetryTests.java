package io.jobqueue.internal.workflow;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.StepState;
import io.jobqueue.WorkflowState;
import io.jobqueue.internal.store.WorkflowStore.ChangedStep;
import io.jobqueue.internal.store.WorkflowStore.StoredStep;
import io.jobqueue.internal.store.WorkflowStore.StoredWorkflow;

import static io.jobqueue.WorkflowDefinition.afterFailure;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs a retry revives.
 */
class WorkflowRetryTests {

	@Test
	void deadJobOfAStepThatCanNoLongerBeginIsNotRevived() {
		UUID dead = UUID.randomUUID();
		StoredStep ship = new StoredStep("ship", List.of(), null, StepState.SUCCEEDED, StepState.SUCCEEDED,
				UUID.randomUUID(), null);
		StoredStep refund = new StoredStep("refund", List.of(afterFailure("ship")), null, StepState.FAILED,
				StepState.FAILED, dead, StepState.FAILED);
		WorkflowRetry retry = WorkflowRetry.of(
				new StoredWorkflow(UUID.randomUUID(), 3, WorkflowState.FAILED, false, List.of(ship, refund)),
				UUID::randomUUID);
		assertThat(retry.next().steps()).containsExactly(new ChangedStep(1, StepState.SKIPPED, false));
		assertThat(retry.jobs().revived()).isEmpty();
		assertThat(retry.jobs().deleted()).containsExactly(dead);
		assertThat(retry.jobs().added()).containsOnlyKeys(1);
	}

}

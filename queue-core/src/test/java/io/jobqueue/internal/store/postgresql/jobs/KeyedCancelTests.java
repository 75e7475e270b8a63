package io.jobqueue.internal.store.postgresql.jobs;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs with an ordering or a limit key that are cancelled let those in that wait for
 * them.
 */
class KeyedCancelTests extends AdmissionTestBase {

	@Test
	void cancelledHeadAdmitsTheNextJob() {
		UUID head = ordered("a");
		UUID next = ordered("a");
		admit();
		assertThat(admission(next)).isEqualTo("ORDER");
		assertThat(cancel(head).available()).extracting(JobsAvailable::pendingAdmission).containsExactly(true);
		assertThat(runIds(worker(), AdmissionRules.NONE)).containsExactly(next);
	}

	@Test
	void slotOfACancelledJobIsTaken() {
		UUID first = limited("a");
		UUID next = limited("a");
		admit(slots(1));
		assertThat(admission(next)).isEqualTo("SLOT");
		cancel(first);
		assertThat(runIds(worker(), slots(1))).containsExactly(next);
	}

	@Test
	void waitingJobIsCancelledAtOnce() {
		UUID head = ordered("a");
		UUID next = ordered("a");
		admit();
		assertThat(cancel(next).ended()).hasSize(1);
		assertThat(state(next)).isEqualTo("CANCELLED");
		assertThat(runIds(worker(), AdmissionRules.NONE)).containsExactly(head);
	}

	@Test
	void jobReleasedAfterARequestAdmitsTheNextOne() {
		UUID holder = worker();
		ordered("a");
		UUID next = ordered("a");
		ClaimedJob running = runOne(holder, AdmissionRules.NONE);
		assertThat(cancel(running.id()).ended()).isEmpty();
		CompletionResult written = this.jobs.recordOutcomes(holder,
				List.of(new Released(running.id(), running.claim())), List.of(running.claim()), CompletionEffects.NONE);
		assertThat(written.cancelled()).containsExactly(running.id());
		assertThat(runIds(worker("other"), AdmissionRules.NONE)).containsExactly(next);
	}

	@Test
	void reaperAdmitsTheNextOneWhenItCancelsALostJob() {
		UUID holder = worker();
		ordered("a");
		UUID next = ordered("a");
		ClaimedJob running = runOne(holder, AdmissionRules.NONE);
		cancel(running.id());
		fallSilent(holder);
		assertThat(this.maintenance.reap(null).reconsidered()).extracting(JobsAvailable::pendingAdmission)
			.containsExactly(true);
		assertThat(state(running.id())).isEqualTo("CANCELLED");
		assertThat(runIds(worker("other"), AdmissionRules.NONE)).containsExactly(next);
	}

	private CancelResult cancel(UUID job) {
		return this.stores.operations().cancel(job, LONG);
	}

}

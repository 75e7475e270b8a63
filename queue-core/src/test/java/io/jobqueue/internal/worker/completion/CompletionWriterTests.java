package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Dead;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is notified of outcomes that are not written.
 */
class CompletionWriterTests extends UncalledJobStore {

	private final Set<UUID> lost = new HashSet<>();

	private final List<Completion> notified = new ArrayList<>();

	private final ClaimLedger claims = new ClaimLedger(Duration.ofMinutes(1));

	private final CompletionWriter writer = new CompletionWriter(UUID.randomUUID(), this, this.claims,
			new RetryProbes((queue) -> CompletionBatcherTests.SETTINGS), new JobMdc("node"),
			List.of((completion, written) -> this.notified.addAll(completion)));

	/**
	 * The logger asks the exception for its message while it writes the line.
	 */
	@Test
	void unprintableExceptionDoesNotKeepOthersFromTheLog() {
		Completion unspeakable = lost(new Unspeakable());
		Completion other = failed(new IllegalStateException("refused"));
		this.claims.begin(1);
		this.claims.received(1, 2);
		this.claims.confirm(1);
		try (CapturedLog log = new CapturedLog()) {
			this.writer.write(List.of(unspeakable, other), false);
			assertThat(this.notified).containsExactly(unspeakable, other);
			assertThat(this.claims.isEmpty()).isTrue();
			assertThat(log.steps(unspeakable.job().id().toString())).containsExactly("lost");
			assertThat(log.messages("its outcome was not recorded, with a " + Unspeakable.class.getName())).hasSize(1);
		}
	}

	/**
	 * The answer to the commit of the first try was lost: the job may be dead.
	 */
	@Test
	void failureThatWasRecordedBeforeIsReportedWithItsCause() {
		Completion completion = lost(new IllegalStateException("refused"));
		try (CapturedLog log = new CapturedLog()) {
			this.writer.write(List.of(completion), true);
			assertThat(log.levels("was recorded before")).containsExactly("ERROR");
			assertThat(log.text()).contains("IllegalStateException: refused");
		}
	}

	@Test
	void failureThatTheDatabaseRefusesIsReportedWithBothCauses() {
		Completion completion = failed(new IllegalStateException("refused"));
		try (CapturedLog log = new CapturedLog()) {
			this.writer.refused(completion, new DataIntegrityViolationException("too long"));
			assertThat(log.messages("DataIntegrityViolationException: too long")).hasSize(1);
			assertThat(log.text()).contains("IllegalStateException: refused");
			assertThat(log.steps(completion.job().id().toString())).containsExactly("lost");
		}
	}

	@Test
	void unprintableExceptionDoesNotHideTheRefusal() {
		Completion completion = failed(new Unspeakable());
		this.claims.begin(1);
		this.claims.received(1, 1);
		this.claims.confirm(1);
		try (CapturedLog log = new CapturedLog()) {
			this.writer.refused(completion, new DataIntegrityViolationException("too long"));
			assertThat(this.claims.isEmpty()).isTrue();
			assertThat(log.messages("a " + Unspeakable.class.getName() + " whose stack trace cannot be printed"))
				.hasSize(1);
		}
	}

	private Completion lost(Throwable cause) {
		Completion completion = failed(cause);
		this.lost.add(completion.job().id());
		return completion;
	}

	static Completion failed(Throwable cause) {
		ClaimedJob job = new ClaimedJobBuilder().build();
		return new Completion(job, new Dead(job.id(), job.claim(), "failed", null), cause, null);
	}

	@Override
	public CompletionResult recordOutcomes(UUID worker, Collection<? extends Outcome> outcomes,
			Collection<Long> endedClaims, CompletionEffects effects) {
		Set<UUID> written = new HashSet<>(outcomes.stream().map(Outcome::id).toList());
		written.removeAll(this.lost);
		return new CompletionResult(written, List.of(), Set.of(), Set.of());
	}

	@SuppressWarnings("serial")
	private static final class Unspeakable extends Exception {

		@Override
		public String getMessage() {
			throw new IllegalStateException("speechless");
		}

	}

}

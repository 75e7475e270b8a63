package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.UncalledJobStore;
import io.jobqueue.harness.WakeUpListener;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which claims end, which are in doubt, and when none is open.
 */
class ClaimLedgerTests extends UncalledJobStore {

	private static final JobsAvailable AVAILABLE = new JobsAvailable(new Tier("emails", 0),
			JobPosition.at(Instant.EPOCH), Duration.ZERO);

	private final ClaimLedger claims = new ClaimLedger(Duration.ofHours(1));

	private final List<Long> released = new ArrayList<>();

	private final JobSignals signals = new JobSignals();

	private boolean refusing;

	@Test
	void numbersOfClaimsCountFromOne() {
		assertThat(this.claims.nextNumber()).isOne();
		assertThat(this.claims.nextNumber()).isEqualTo(2);
	}

	@Test
	void claimIsOpenWhileAJobOfItHasNoOutcome() {
		open(1, 1);
		this.claims.begin(2);
		assertThat(this.claims.open()).containsExactly(1L);
		complete(1L);
		assertThat(this.claims.open()).isEmpty();
		assertThat(this.claims.isEmpty()).isTrue();
	}

	@Test
	void claimEndsWithItsLastJob() {
		open(1, 3);
		complete(1L);
		assertThat(this.claims.endingWith(List.of(1L))).isEmpty();
		assertThat(this.claims.endingWith(List.of(1L, 1L))).containsExactly(1L);
		complete(1L);
		assertThat(this.claims.isEmpty()).isFalse();
		complete(1L);
		assertThat(this.claims.isEmpty()).isTrue();
	}

	@Test
	void claimWithAJobThatIsLeftDoesNotEndButIsDoneWith() {
		open(1, 2);
		open(2, 1);
		this.claims.leaveOpen(1);
		assertThat(this.claims.endingWith(List.of(1L, 2L))).containsExactly(2L);
		complete(1L, 2L);
		assertThat(this.claims.isEmpty()).isTrue();
	}

	@Test
	void jobsMayBeCompletedBeforeTheClaimIsConfirmed() {
		this.claims.begin(1);
		this.claims.received(1, 2);
		complete(1L);
		assertThat(this.claims.endingWith(List.of(1L))).containsExactly(1L);
		complete(1L);
		assertThat(this.claims.mark()).isEqualTo(ClaimLedger.UNKNOWN);
		this.claims.confirm(1);
		assertThat(this.claims.isEmpty()).isTrue();
		assertThat(this.claims.open()).isEmpty();
	}

	@Test
	void markIsUnknownDuringAClaimAndChangesWithEachClaim() {
		long mark = this.claims.mark();
		this.claims.begin(1);
		assertThat(this.claims.mark()).isEqualTo(ClaimLedger.UNKNOWN);
		this.claims.received(1, 0);
		this.claims.confirm(1);
		assertThat(this.claims.mark()).isNotIn(mark, ClaimLedger.UNKNOWN);
	}

	@Test
	void failedClaimIsInDoubtUntilItIsReleased() {
		fail(1);
		open(2, 0);
		assertThat(this.claims.mark()).isEqualTo(ClaimLedger.UNKNOWN);
		this.refusing = true;
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> release(this.claims));
		assertThat(this.claims.mark()).isEqualTo(ClaimLedger.UNKNOWN);
		this.refusing = false;
		release(this.claims);
		assertThat(this.claims.mark()).isNotEqualTo(ClaimLedger.UNKNOWN);
		assertThat(this.released).containsExactly(1L);
	}

	@Test
	void workersAreSignalledTheJobsOfAFailedClaim() {
		List<WakeUp> signalled = new ArrayList<>();
		this.signals.subscribe(new WakeUpListener(signalled::addAll));
		fail(1);
		release(this.claims);
		assertThat(signalled).containsExactly(AVAILABLE);
	}

	@Test
	void failedClaimIsReleasedAgainAsItMayBeExecutedLater() {
		fail(1);
		release(this.claims);
		release(this.claims);
		assertThat(this.released).containsExactly(1L, 1L);
	}

	@Test
	void failedClaimIsReleasedOnceWhenItCannotBeExecutedAnyMore() {
		ClaimLedger certain = new ClaimLedger(Duration.ofNanos(-1));
		certain.begin(1);
		certain.fail(1);
		release(certain);
		release(certain);
		assertThat(this.released).containsExactly(1L);
	}

	@Test
	void claimThatIsUnderWayIsNotReleased() {
		this.claims.begin(1);
		open(2, 1);
		release(this.claims);
		assertThat(this.released).isEmpty();
	}

	private void open(long claim, int jobs) {
		this.claims.begin(claim);
		this.claims.received(claim, jobs);
		this.claims.confirm(claim);
	}

	private void fail(long claim) {
		this.claims.begin(claim);
		this.claims.fail(claim);
	}

	private void complete(Long... claims) {
		this.claims.completed(List.of(claims));
	}

	private void release(ClaimLedger ledger) {
		ledger.release(new UUID(0, 0), this, this.signals);
	}

	@Override
	public List<JobsAvailable> release(UUID worker, Collection<Long> claims) {
		if (this.refusing) {
			throw new IllegalStateException("The connection is lost");
		}
		this.released.addAll(claims);
		return List.of(AVAILABLE);
	}

}

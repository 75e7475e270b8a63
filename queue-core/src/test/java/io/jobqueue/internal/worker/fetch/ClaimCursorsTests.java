package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.ClaimedJobBuilder;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a claim begins, after what.
 */
class ClaimCursorsTests {

	private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

	private static final Instant LATER = NOON.plusSeconds(60);

	private static final Tier URGENT = new Tier("emails", 0);

	private static final Tier NORMAL = new Tier("emails", 10);

	private final ClaimCursors cursors = new ClaimCursors((tier) -> tier.queue().equals("emails"));

	@Test
	void beginWhereTheScanSays() {
		this.cursors.reset(List.of(new TierBacklog(NORMAL, place(5), Duration.ZERO, null, null)));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(NORMAL, place(5)));
	}

	@Test
	void forgetTiersThatTheNextScanDoesNotFind() {
		scanBacklog(NORMAL, URGENT);
		scanBacklog(URGENT);
		assertThat(this.cursors.of("emails", 99)).containsOnlyKeys(URGENT);
	}

	@Test
	void offerNoPriorityBeyondTheGivenOne() {
		scanBacklog(NORMAL, URGENT);
		assertThat(this.cursors.of("emails", 9)).containsOnlyKeys(URGENT);
	}

	@Test
	void learnATierFromASignal() {
		assertThat(this.cursors.lower(arrival(URGENT, 7))).isTrue();
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, place(7)));
	}

	@Test
	void ignoreSignalsThatAreForOthers() {
		assertThat(this.cursors.lower(arrival(new Tier("invoices", 0), 7))).isFalse();
		assertThat(this.cursors.of("invoices", 99)).isEmpty();
	}

	@Test
	void keepASignalThatArrivesDuringAScan() {
		this.cursors.lower(arrival(NORMAL, 3));
		this.cursors.lower(arrival(URGENT, 7));
		this.cursors.reset(List.of(new TierBacklog(NORMAL, place(5), Duration.ZERO, null, null)));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, place(7)), entry(NORMAL, place(3)));
	}

	@Test
	void keepASignalThatArrivesDuringAClaim() {
		ClaimRequest request = request(9);
		this.cursors.lower(arrival(NORMAL, 3));
		this.cursors.raise(request, claimed(9, List.of(job(NORMAL, 8)), List.of(), LATER));
		assertThat(this.cursors.of("emails", 99)).containsEntry(NORMAL, place(3));
	}

	/**
	 * The claim took the position of the one queue before, and of the other after the
	 * signal.
	 */
	@Test
	void keepASignalThatArrivesBetweenTwoQueuesOfAClaim() {
		ClaimCursors both = new ClaimCursors((tier) -> true);
		both.reset(List.of(new TierBacklog(NORMAL, place(5), Duration.ZERO, null, null)));
		ClaimRequest request = request(both.of("emails", 99), 9);
		both.lower(arrival(NORMAL, 3));
		both.of("invoices", 99);
		both.raise(request, claimed(9, List.of(), List.of(), LATER));
		assertThat(both.of("emails", 99)).containsEntry(NORMAL, place(3));
	}

	@Test
	void riseToTheTimeOfAClaimThatFoundLessThanItWanted() {
		this.cursors.raise(request(9), claimed(9, List.of(job(NORMAL, 8)), List.of(), LATER));
		assertThat(this.cursors.of("emails", 99).values()).containsOnly(JobPosition.at(LATER));
	}

	@Test
	void riseToTheLastJobOfAClaimThatFoundEnough() {
		this.cursors.raise(request(2), claimed(2, List.of(job(URGENT, 8), job(NORMAL, 9)), List.of(), LATER));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, JobPosition.at(LATER)),
				entry(NORMAL, place(9)));
	}

	@Test
	void keepTiersThatAFullClaimDidNotRead() {
		this.cursors.raise(request(1), claimed(1, List.of(job(URGENT, 8)), List.of(), LATER));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, place(8)),
				entry(NORMAL, JobPosition.at(Instant.EPOCH)));
	}

	@Test
	void keepTiersThatAClaimWithWithheldJobsDidNotRead() {
		this.cursors.raise(request(2), claimed(2, List.of(job(URGENT, 8)), List.of(arrival(URGENT, 9)), LATER));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, place(9)),
				entry(NORMAL, JobPosition.at(Instant.EPOCH)));
	}

	@Test
	void stayWhereALimitEndedAClaim() {
		ClaimRequest request = request(9);
		this.cursors.raise(request, claimed(1, List.of(job(URGENT, 8)), List.of(), LATER));
		this.cursors.raise(request, claimed(0, List.of(), List.of(), LATER));
		assertThat(this.cursors.of("emails", 99)).containsExactly(entry(URGENT, place(8)),
				entry(NORMAL, JobPosition.at(Instant.EPOCH)));
	}

	@Test
	void stayAtAJobThatWasWithheld() {
		this.cursors.raise(request(9),
				claimed(9, List.of(job(NORMAL, 8)), List.of(arrival(NORMAL, 6), arrival(NORMAL, 7)), LATER));
		assertThat(this.cursors.of("emails", 99)).containsEntry(NORMAL, place(6));
	}

	@Test
	void neverSinkByAClaim() {
		this.cursors.reset(List.of(new TierBacklog(NORMAL, JobPosition.at(LATER), Duration.ZERO, null, null)));
		ClaimRequest request = request(this.cursors.of("emails", 99), 9);
		this.cursors.raise(request, claimed(9, List.of(), List.of(), NOON));
		assertThat(this.cursors.of("emails", 99)).containsEntry(NORMAL, JobPosition.at(LATER));
	}

	private static ClaimResult claimed(int quota, List<ClaimedJob> jobs, List<JobsAvailable> withheld, Instant at) {
		return new ClaimResult(jobs, withheld, quota, false, false, at, null);
	}

	/**
	 * Scan two tiers from the beginning and request both.
	 */
	private ClaimRequest request(int quota) {
		scanBacklog(URGENT, NORMAL);
		return request(this.cursors.of("emails", 99), quota);
	}

	private static ClaimRequest request(SortedMap<Tier, JobPosition> cursors, int quota) {
		return new ClaimRequestBuilder(1).free(quota).positions(cursors).build();
	}

	private void scanBacklog(Tier... tiers) {
		this.cursors.reset(List.of(tiers)
			.stream()
			.map((tier) -> new TierBacklog(tier, JobPosition.at(Instant.EPOCH), Duration.ZERO, null, null))
			.toList());
	}

	private static JobPosition place(long seq) {
		return new JobPosition(NOON, seq);
	}

	private static JobsAvailable arrival(Tier tier, long seq) {
		return new JobsAvailable(tier, place(seq), Duration.ZERO);
	}

	private static ClaimedJob job(Tier tier, long seq) {
		return new ClaimedJobBuilder().queue(tier.queue()).priority(tier.priority()).runAt(NOON).seq(seq).build();
	}

	private static Map.Entry<Tier, JobPosition> entry(Tier tier, JobPosition position) {
		return Map.entry(tier, position);
	}

}

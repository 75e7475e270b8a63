package io.jobqueue.worker.completion;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;

/**
 * The claims of one worker: how many jobs of each have no recorded outcome yet, and which
 * claims are in doubt because their result never arrived. The database may have executed
 * those, or may do so after the failure: they are given back again until that is out of
 * the question.
 */
public final class ClaimLedger {

	/**
	 * The mark while the result of a claim is not known.
	 */
	public static final long UNKNOWN = -1;

	private final Duration doubt;

	private final Map<Long, Claim> claims = new HashMap<>();

	private long numbers;

	private long begun;

	/**
	 * Create a ledger.
	 * @param doubt how long after its failure a claim may still be executed
	 */
	public ClaimLedger(Duration doubt) {
		this.doubt = doubt;
	}

	/**
	 * Return the number of another claim.
	 * @return the number
	 */
	public synchronized long nextNumber() {
		return ++this.numbers;
	}

	/**
	 * Note that a claim is about to be requested. Its entry is made now, since a claim
	 * may fail for lack of memory.
	 * @param claim the number of the claim
	 */
	public synchronized void begin(long claim) {
		this.claims.put(claim, new Claim());
		this.begun++;
	}

	/**
	 * Note how many jobs a claim has returned. Until it is {@linkplain #confirm
	 * confirmed}, it may still fail.
	 * @param claim the number of the claim
	 * @param jobs how many jobs it has returned
	 */
	public synchronized void received(long claim, int jobs) {
		entry(claim).open = jobs;
	}

	/**
	 * Note that all jobs of a claim were handed out.
	 * @param claim the number of the claim
	 */
	public synchronized void confirm(long claim) {
		entry(claim).state = State.CONFIRMED;
		this.claims.computeIfPresent(claim, (number, entry) -> entry.ifNeeded());
	}

	/**
	 * Note that the result of a claim did not arrive, or that none of its jobs could be
	 * handed out.
	 * @param claim the number of the claim
	 */
	public synchronized void fail(long claim) {
		entry(claim).fail();
	}

	private Claim entry(long claim) {
		return this.claims.computeIfAbsent(claim, (number) -> new Claim());
	}

	/**
	 * Return a value that stays the same as long as nothing is claimed: {@link #UNKNOWN}
	 * while a claim is under way, and after a failed one until its jobs are given back.
	 * @return the value
	 */
	public synchronized long mark() {
		return this.claims.values().stream().anyMatch(Claim::isUnknown) ? UNKNOWN : this.begun;
	}

	/**
	 * Give back the jobs of claims that are in doubt.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param signals where wake-ups are published
	 */
	public void giveBack(UUID worker, JobStore store, JobSignals signals) {
		List<Long> inDoubt = numbers(Claim::isInDoubt);
		if (!inDoubt.isEmpty()) {
			signals.publish(store.giveBack(worker, inDoubt));
			givenBack(inDoubt);
		}
	}

	private synchronized void givenBack(List<Long> inDoubt) {
		long latest = System.nanoTime() - this.doubt.toNanos();
		inDoubt.forEach((claim) -> this.claims.computeIfPresent(claim, (number, entry) -> entry.givenBack(latest)));
	}

	/**
	 * Return the claims with jobs that have no recorded outcome.
	 */
	List<Long> open() {
		return numbers(Claim::isOpen);
	}

	private synchronized List<Long> numbers(Predicate<Claim> which) {
		return this.claims.entrySet()
			.stream()
			.filter((entry) -> which.test(entry.getValue()))
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * Return whether each job has a recorded outcome or was given back.
	 * @return whether no claim is open
	 */
	public synchronized boolean isEmpty() {
		return this.claims.values().stream().noneMatch(Claim::isOpen);
	}

	/**
	 * Return the claims that end when jobs of the given claims are completed. A claim
	 * with a job that is left to the reaper does not end, as the reaper finds the job by
	 * its claim.
	 */
	synchronized List<Long> endingWith(Collection<Long> claims) {
		return count(claims).entrySet()
			.stream()
			.filter((completed) -> endsWith(this.claims.get(completed.getKey()), completed.getValue()))
			.map(Map.Entry::getKey)
			.toList();
	}

	private static boolean endsWith(@Nullable Claim claim, long jobs) {
		return claim != null && claim.open == jobs && !claim.leftOpen;
	}

	/**
	 * Note that the outcomes of jobs of the given claims were recorded.
	 */
	synchronized void completed(Collection<Long> claims) {
		count(claims)
			.forEach((claim, jobs) -> this.claims.computeIfPresent(claim, (number, entry) -> entry.completed(jobs)));
	}

	/**
	 * Note that a job is left to the reaper.
	 */
	synchronized void leaveOpen(long claim) {
		Claim entry = this.claims.get(claim);
		if (entry != null) {
			entry.leftOpen = true;
			completed(List.of(claim));
		}
	}

	private static Map<Long, Long> count(Collection<Long> claims) {
		return claims.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
	}

	private enum State {

		/**
		 * Its result has not arrived, or its jobs are being handed out.
		 */
		PENDING,

		/**
		 * Its jobs were handed out.
		 */
		CONFIRMED,

		/**
		 * It failed.
		 */
		FAILED,

		/**
		 * It failed and was given back at least once.
		 */
		GIVEN_BACK

	}

	private static final class Claim {

		private State state = State.PENDING;

		private long failedAt;

		private long open;

		private boolean leftOpen;

		boolean isUnknown() {
			return this.state == State.PENDING || this.state == State.FAILED;
		}

		boolean isInDoubt() {
			return this.state == State.FAILED || this.state == State.GIVEN_BACK;
		}

		boolean isOpen() {
			return this.open > 0;
		}

		void fail() {
			this.state = State.FAILED;
			this.failedAt = System.nanoTime();
			this.open = 0;
		}

		@Nullable Claim givenBack(long latest) {
			this.state = State.GIVEN_BACK;
			return (this.failedAt - latest < 0) ? null : this;
		}

		@Nullable Claim completed(long jobs) {
			this.open = Math.max(0, this.open - jobs);
			return ifNeeded();
		}

		@Nullable Claim ifNeeded() {
			return (this.state == State.CONFIRMED && this.open == 0) ? null : this;
		}

	}

}

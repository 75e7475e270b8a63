package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.JobStore;

/**
 * The claims of one worker: the number of jobs without a recorded outcome in each, and
 * the claims in doubt, whose result did not arrive. The database may have executed a
 * claim in doubt, or may do so after the failure, so its jobs are released repeatedly
 * until {@code doubt} has passed. Safe for use by several threads.
 */
public final class ClaimLedger {

	/**
	 * The value of {@link #mark} while the result of a claim is not known.
	 */
	public static final long UNKNOWN = -1;

	private final Duration doubt;

	private final Map<Long, Claim> claims = new HashMap<>();

	private long numbers;

	private long begun;

	/**
	 * Create a ledger.
	 * @param doubt the time after its failure in which a claim may still be executed
	 */
	public ClaimLedger(Duration doubt) {
		this.doubt = doubt;
	}

	/**
	 * Return the number for a new claim.
	 * @return the number
	 */
	public synchronized long nextNumber() {
		return ++this.numbers;
	}

	/**
	 * Record a claim that is about to be sent.
	 * @param number the number of the claim
	 * @return the claim, to be closed after its jobs are accepted or refused
	 */
	public UnconfirmedClaim record(long number) {
		return new UnconfirmedClaim(number);
	}

	/**
	 * Note that a claim is about to be sent. Its entry is made before, since the claim
	 * may fail for lack of memory.
	 */
	synchronized void begin(long claim) {
		this.claims.put(claim, new Claim());
		this.begun++;
	}

	/**
	 * Note how many jobs a claim has returned. Until it is {@linkplain #confirm
	 * confirmed}, it may still fail.
	 */
	synchronized void received(long claim, int jobs) {
		entry(claim).open = jobs;
	}

	/**
	 * Note that the sink has accepted all jobs of a claim.
	 */
	synchronized void confirm(long claim) {
		entry(claim).state = State.CONFIRMED;
		this.claims.computeIfPresent(claim, (number, entry) -> entry.ifNeeded());
	}

	/**
	 * Note that the result of a claim did not arrive, or that the sink has accepted none
	 * of its jobs.
	 * @param claim the number of the claim
	 */
	public synchronized void fail(long claim) {
		entry(claim).fail();
	}

	private Claim entry(long claim) {
		return this.claims.computeIfAbsent(claim, (number) -> new Claim());
	}

	/**
	 * Return the number of claims so far, {@link #UNKNOWN} while a claim is under way and
	 * after a failed one until its jobs are released.
	 * @return the value
	 */
	public synchronized long mark() {
		return this.claims.values().stream().anyMatch(Claim::isUnknown) ? UNKNOWN : this.begun;
	}

	/**
	 * Release the jobs of claims that are in doubt.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param signals publishes wake-ups for the released jobs
	 */
	public void release(UUID worker, JobStore store, JobSignals signals) {
		List<Long> inDoubt = numbers(Claim::isInDoubt);
		if (!inDoubt.isEmpty()) {
			signals.publish(store.release(worker, inDoubt));
			released(inDoubt);
		}
	}

	private synchronized void released(List<Long> inDoubt) {
		long latest = System.nanoTime() - this.doubt.toNanos();
		inDoubt.forEach((claim) -> this.claims.computeIfPresent(claim, (number, entry) -> entry.released(latest)));
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
	 * Return whether each job has a recorded outcome or was released.
	 * @return {@code true} if no claim is open
	 */
	public synchronized boolean isEmpty() {
		return this.claims.values().stream().noneMatch(Claim::isOpen);
	}

	/**
	 * Return the claims that end when jobs of the given claims are completed, one job for
	 * each occurrence of a number. A claim with a job that is left to the reaper does not
	 * end, since the reaper finds the job by its claim.
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
	 * Note that a job of a claim is left to the reaper.
	 */
	synchronized void leaveOpen(long claim) {
		Claim entry = this.claims.get(claim);
		if (entry != null) {
			entry.leftOpen = true;
			completed(List.of(claim));
		}
	}

	private static Map<Long, Long> count(Collection<Long> claims) {
		Map<Long, Long> jobs = new HashMap<>();
		claims.forEach((claim) -> jobs.merge(claim, 1L, Long::sum));
		return jobs;
	}

	/**
	 * A claim that was sent. Unless it is confirmed before it is closed, its jobs are in
	 * doubt, and {@link ClaimLedger#release} releases them.
	 */
	public final class UnconfirmedClaim implements AutoCloseable {

		private final long number;

		private boolean confirmed;

		private UnconfirmedClaim(long number) {
			this.number = number;
			ClaimLedger.this.begin(number);
		}

		/**
		 * Note how many jobs the claim has returned.
		 * @param jobs the number of jobs
		 */
		public void received(int jobs) {
			ClaimLedger.this.received(this.number, jobs);
		}

		/**
		 * Note that all jobs are accepted.
		 */
		public void confirm() {
			this.confirmed = true;
			ClaimLedger.this.confirm(this.number);
		}

		@Override
		public void close() {
			if (!this.confirmed) {
				fail(this.number);
			}
		}

	}

	private enum State {

		/**
		 * Its result has not arrived, or the sink has not accepted its jobs yet.
		 */
		PENDING,

		/**
		 * The sink has accepted its jobs.
		 */
		CONFIRMED,

		/**
		 * The claim failed.
		 */
		FAILED,

		/**
		 * The claim failed, and its jobs were released at least once.
		 */
		RELEASED

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
			return this.state == State.FAILED || this.state == State.RELEASED;
		}

		boolean isOpen() {
			return this.open > 0;
		}

		void fail() {
			this.state = State.FAILED;
			this.failedAt = System.nanoTime();
			this.open = 0;
		}

		@Nullable Claim released(long latest) {
			this.state = State.RELEASED;
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

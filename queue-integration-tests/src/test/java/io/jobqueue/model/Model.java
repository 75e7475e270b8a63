package io.jobqueue.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;

/**
 * What the tables ought to hold.
 */
final class Model {

	private final ModelClock clock = new ModelClock();

	private final Map<UUID, ModelJob> jobs = new TreeMap<>();

	private final Map<ClaimKey, ModelClaim> claims = new HashMap<>();

	private final ModelWorkers workers = new ModelWorkers(this.clock);

	private final ModelRate rate = new ModelRate(this.clock);

	ModelClock clock() {
		return this.clock;
	}

	ModelWorkers workers() {
		return this.workers;
	}

	void add(ModelJob job) {
		this.jobs.put(job.id(), job);
	}

	void remove(ModelJob job) {
		this.jobs.remove(job.id());
	}

	List<ModelJob> live() {
		return this.jobs.values().stream().filter(ModelJob::isLive).toList();
	}

	ExpectedClaim claim(UUID worker, ClaimRequest request) {
		if (request.limits().isNone()) {
			return claim(worker, request, request.quota());
		}
		Integer allowedIn = this.rate.allowedIn();
		ExpectedClaim expected = claim(worker, request, Math.min(request.quota(), this.rate.allowed()));
		this.rate.claimed(expected.jobs().size());
		return (allowedIn != null) ? expected.withNextDueIn(allowedIn) : expected;
	}

	private ExpectedClaim claim(UUID worker, ClaimRequest request, int quota) {
		if (!this.workers.isAlive(worker)) {
			return ExpectedClaim.REFUSED;
		}
		ModelRequest wanted = new ModelRequest(request, quota, live(), this.clock);
		ExpectedClaim expected = wanted.expected();
		List<ModelJob> claimed = wanted.claim(new ClaimKey(worker, request.claim()));
		if (!claimed.isEmpty()) {
			note(wanted.claimOf(worker, claimed));
		}
		return expected;
	}

	private void note(ModelClaim claim) {
		this.claims.put(claim.key(), claim);
	}

	boolean holds(UUID worker, ClaimedJob job) {
		return isHeld(job.id(), new ClaimKey(worker, job.claim()));
	}

	private boolean isHeld(UUID job, ClaimKey claim) {
		return this.jobs.containsKey(job) && this.jobs.get(job).isHeldBy(claim);
	}

	ModelJob job(ClaimedJob job) {
		return this.jobs.get(job.id());
	}

	/**
	 * Return the jobs that the worker still had.
	 */
	Set<UUID> recordOutcomes(UUID worker, Collection<Outcome> outcomes, Collection<Long> endedClaims) {
		Set<UUID> recorded = outcomes.stream()
			.filter((outcome) -> isHeld(outcome.id(), new ClaimKey(worker, outcome.claim())))
			.map(this::recordOutcomes)
			.collect(Collectors.toSet());
		end(worker, endedClaims);
		return recorded;
	}

	private UUID recordOutcomes(Outcome outcome) {
		this.jobs.get(outcome.id()).recorded(outcome, this.clock);
		dropGone();
		return outcome.id();
	}

	void end(UUID worker, Collection<Long> endedClaims) {
		endedClaims.forEach((number) -> this.claims.remove(new ClaimKey(worker, number)));
	}

	/**
	 * Return how many jobs were released.
	 */
	int release(UUID worker, Collection<Long> unseen) {
		List<ModelJob> back = unseen.stream()
			.map((number) -> new ClaimKey(worker, number))
			.filter(this.claims::containsKey)
			.flatMap((key) -> held(this.claims.get(key)).stream())
			.toList();
		back.forEach(ModelJob::released);
		end(worker, unseen);
		return back.size();
	}

	private List<ModelJob> held(ModelClaim claim) {
		return claim.jobs()
			.stream()
			.filter((job) -> isHeld(job, claim.key()))
			.map(this.jobs::get)
			.sorted(Comparator.comparing(ModelJob::id))
			.toList();
	}

	/**
	 * A worker is forgotten after its last claim, not along with it.
	 */
	ExpectedPass reap() {
		Set<UUID> claimants = this.claims.keySet().stream().map(ClaimKey::worker).collect(Collectors.toSet());
		Map<Boolean, Long> taken = this.claims.values()
			.stream()
			.filter(this::isExpired)
			.toList()
			.stream()
			.flatMap((claim) -> reap(claim).stream())
			.collect(Collectors.partitioningBy((dead) -> dead, Collectors.counting()));
		dropGone();
		Set<String> forgotten = this.workers.forgetSilentBut(claimants);
		this.workers.bringBack();
		return new ExpectedPass(taken.get(false), taken.get(true), forgotten);
	}

	private boolean isExpired(ModelClaim claim) {
		return !this.workers.isAlive(claim.key().worker()) || this.clock.isReached(claim.expiresAt());
	}

	/**
	 * Return whether it died, for each job that was taken away.
	 */
	private List<Boolean> reap(ModelClaim claim) {
		boolean silent = !this.workers.isAlive(claim.key().worker());
		List<Boolean> dead = held(claim).stream()
			.filter((job) -> !job.isLocked() && (silent || this.clock.isReached(job.leaseUntil())))
			.map((job) -> takeAway(job, claim))
			.toList();
		held(claim).stream()
			.mapToInt(ModelJob::leaseUntil)
			.min()
			.ifPresentOrElse((lease) -> note(claim.postponedTo(lease)), () -> this.claims.remove(claim.key()));
		return dead;
	}

	private boolean takeAway(ModelJob job, ModelClaim claim) {
		boolean dead = job.isOnce() || job.isUsedUp(claim.maxAttempts());
		if (dead) {
			job.died(claim.keepDead(), this.clock.now());
		}
		else {
			job.failed();
		}
		return dead;
	}

	private void dropGone() {
		this.jobs.values().removeIf(ModelJob::isGone);
	}

	int purge() {
		List<ModelJob> over = this.jobs.values().stream().filter((job) -> job.isToBePurged(this.clock)).toList();
		over.forEach(this::remove);
		return over.size();
	}

	Snapshot snapshot() {
		Map<UUID, Snapshot.Job> rows = new TreeMap<>();
		this.jobs.forEach((id, job) -> rows.put(id, job.snapshot(this.clock)));
		Map<ClaimKey, Snapshot.Claimed> claimed = new HashMap<>();
		this.claims.forEach((key, claim) -> claimed.put(key, claim.snapshot()));
		return new Snapshot(rows, claimed, this.workers.snapshot(), this.rate.snapshot(), 0);
	}

}

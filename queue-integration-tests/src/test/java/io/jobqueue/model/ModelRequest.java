package io.jobqueue.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.Tier;

/**
 * What a worker asks for, and what there is for it.
 */
final class ModelRequest {

	private static final Comparator<ModelJob> ORDER = Comparator.comparingInt(ModelJob::priority)
		.thenComparing(ModelJob::runAt)
		.thenComparing(ModelJob::id);

	private final ClaimRequest request;

	private final int quota;

	private final ModelClock clock;

	private final List<ModelJob> tiers;

	private final List<ModelJob> due;

	/**
	 * Create a request.
	 * @param quota how many jobs it may bring
	 */
	ModelRequest(ClaimRequest request, int quota, List<ModelJob> live, ModelClock clock) {
		this.request = request;
		this.quota = quota;
		this.clock = clock;
		this.tiers = live.stream()
			.filter((job) -> request.positions().containsKey(new Tier(Draft.QUEUE, job.priority())))
			.toList();
		this.due = this.tiers.stream().filter(this::isClaimable).sorted(ORDER).limit(quota).toList();
	}

	private boolean isClaimable(ModelJob job) {
		return job.isWaiting() && isDue(job) && this.request.types().contains(job.type());
	}

	private boolean isDue(ModelJob job) {
		return this.clock.isReached(job.runAt().minute());
	}

	ExpectedClaim expected() {
		List<ModelJob> wanted = wanted();
		return new ExpectedClaim(true, wanted.stream().map(this::taken).collect(Collectors.toSet()),
				this.due.size() - wanted.size(), nextDueIn());
	}

	/**
	 * The first are for free handlers, the others in advance.
	 */
	private List<ModelJob> wanted() {
		List<ModelJob> wanted = new ArrayList<>();
		for (ModelJob job : this.due) {
			if (this.due.indexOf(job) < this.request.free() || hasAnotherAttempt(job)) {
				wanted.add(job);
			}
		}
		return wanted;
	}

	private boolean hasAnotherAttempt(ModelJob job) {
		int limit = job.maxAttempts(this.request.maxAttempts());
		return !isOnce(job) && (limit == 0 || job.countedAttempts() + 1 < limit);
	}

	private boolean isOnce(ModelJob job) {
		return this.request.onceTypes().contains(job.type());
	}

	private ExpectedClaim.Taken taken(ModelJob job) {
		return new ExpectedClaim.Taken(job.id(), job.attempts() + 1, job.maxAttempts(this.request.maxAttempts()),
				maxRunTime(job), isOnce(job));
	}

	private int maxRunTime(ModelJob job) {
		return job.maxRunTime(Minutes.ofRunTime(this.request.maxRunTime()));
	}

	/**
	 * Known if no due job is left, whichever worker holds the next one.
	 */
	private @Nullable Integer nextDueIn() {
		return (this.due.size() < this.quota) ? this.tiers.stream()
			.filter((job) -> !isDue(job))
			.map((job) -> job.runAt().minute() - this.clock.now())
			.min(Comparator.naturalOrder())
			.orElse(null) : null;
	}

	List<ModelJob> claim(ClaimKey key) {
		List<ModelJob> wanted = wanted();
		wanted.forEach((job) -> job.claimed(key, this.clock.now() + maxRunTime(job), isOnce(job)));
		return wanted;
	}

	ModelClaim claimOf(UUID worker, List<ModelJob> claimed) {
		int expiresAt = claimed.stream().mapToInt(ModelJob::leaseUntil).min().orElseThrow();
		return new ModelClaim(new ClaimKey(worker, this.request.claim()), expiresAt, this.request.maxAttempts(),
				Minutes.of(this.request.keepDead()), claimed.stream().map(ModelJob::id).collect(Collectors.toSet()));
	}

}

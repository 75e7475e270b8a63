package io.jobqueue.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimRequest.AttemptLimits;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.Tier;

/**
 * Builds requests to claim jobs of type {@code mail}: for one free handler, from the
 * beginning of all priorities of queue {@code emails}.
 */
public final class ClaimRequestBuilder {

	private final long claim;

	private String queue = "emails";

	private Set<String> types = Set.of("mail");

	private Set<String> onceTypes = Set.of();

	private int free = 1;

	private int prefetch;

	private int maxAttempts = 25;

	private Duration maxRunTime = Duration.ofMinutes(30);

	private @Nullable Duration keepDead;

	private @Nullable SortedMap<Tier, JobPosition> positions;

	private ClusterLimits limits = ClusterLimits.NONE;

	private Map<String, AttemptLimits> typeLimits = Map.of();

	/**
	 * Begin with the defaults.
	 * @param claim the number of the claim, unique among those of its worker
	 */
	public ClaimRequestBuilder(long claim) {
		this.claim = claim;
	}

	public ClaimRequestBuilder queue(String queue) {
		this.queue = queue;
		return this;
	}

	public ClaimRequestBuilder types(String... types) {
		return types(Set.of(types));
	}

	public ClaimRequestBuilder types(Set<String> types) {
		this.types = types;
		return this;
	}

	public ClaimRequestBuilder onceTypes(String... types) {
		return onceTypes(Set.of(types));
	}

	public ClaimRequestBuilder onceTypes(Set<String> types) {
		this.onceTypes = types;
		return this;
	}

	public ClaimRequestBuilder free(int free) {
		this.free = free;
		return this;
	}

	public ClaimRequestBuilder prefetch(int prefetch) {
		this.prefetch = prefetch;
		return this;
	}

	public ClaimRequestBuilder maxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	public ClaimRequestBuilder maxRunTime(Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
		return this;
	}

	public ClaimRequestBuilder keepDead(@Nullable Duration keepDead) {
		this.keepDead = keepDead;
		return this;
	}

	/**
	 * Claim from the beginning of the priorities from the best to the worst.
	 */
	public ClaimRequestBuilder priorities(int best, int worst) {
		return positions(IntStream.rangeClosed(best, worst)
			.boxed()
			.collect(Collectors.toMap((priority) -> new Tier(this.queue, priority),
					(priority) -> JobPosition.at(Instant.EPOCH))));
	}

	public ClaimRequestBuilder positions(Map<Tier, JobPosition> positions) {
		this.positions = new TreeMap<>(positions);
		return this;
	}

	public ClaimRequestBuilder limits(ClusterLimits limits) {
		this.limits = limits;
		return this;
	}

	public ClaimRequestBuilder typeLimits(Map<String, AttemptLimits> typeLimits) {
		this.typeLimits = typeLimits;
		return this;
	}

	public ClaimRequest build() {
		if (this.positions == null) {
			priorities(0, 99);
		}
		return new ClaimRequest(this.queue, this.types, this.onceTypes, this.claim, this.free, this.prefetch,
				Long.MAX_VALUE, this.maxAttempts, this.maxRunTime, this.keepDead, this.positions, this.limits,
				this.typeLimits);
	}

	/**
	 * Build the request for a single new job of the only type.
	 */
	public NewJobRequest buildFor(UUID newJob) {
		String type = this.types.iterator().next();
		return new NewJobRequest(newJob, this.queue, type, this.claim, this.onceTypes.contains(type), this.maxAttempts,
				this.maxRunTime, this.keepDead);
	}

}

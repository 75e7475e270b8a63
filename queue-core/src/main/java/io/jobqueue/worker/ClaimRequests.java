package io.jobqueue.worker;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.JobPosition;
import io.jobqueue.store.JobStore.AdmissionRules;
import io.jobqueue.store.JobStore.ServedQueue;
import io.jobqueue.store.Tier;

/**
 * Makes demands of the room that a sink has, under a new claim number each.
 */
final class ClaimRequests {

	private final Function<String, QueueSettings> settings;

	private final WorkerSettings worker;

	private volatile ServedTypes types;

	private final LongSupplier claims;

	/**
	 * Create demands.
	 * @param claims what numbers the claims of the worker
	 */
	ClaimRequests(ServedTypes types, Function<String, QueueSettings> settings, WorkerSettings worker,
			LongSupplier claims) {
		this.types = types;
		this.settings = settings;
		this.worker = worker;
		this.claims = claims;
	}

	/**
	 * Serve other types from the next claim on.
	 */
	void serve(ServedTypes types) {
		this.types = types;
	}

	/**
	 * Return what to survey.
	 */
	List<ServedQueue> served() {
		return this.types.all()
			.entrySet()
			.stream()
			.map((entry) -> new ServedQueue(entry.getKey(), entry.getValue(), this.worker.minPriority(),
					this.worker.maxPriority()))
			.toList();
	}

	boolean isServed(Tier tier) {
		return isServed(tier.queue()) && tier.priority() >= this.worker.minPriority()
				&& tier.priority() <= this.worker.maxPriority();
	}

	boolean isServed(String queue) {
		return this.types.all().containsKey(queue);
	}

	AdmissionRules keyRules(String queue) {
		return this.settings.apply(queue).keys();
	}

	/**
	 * Return what to claim for queues that share their room: nothing where no job is
	 * known of. For a single queue that is one demand, for several it is one for each
	 * tier: the most urgent first, and of those the one where jobs have been due for
	 * longest.
	 */
	List<ClaimRequest> of(Map<String, Capacity> rooms, ClaimCursors floors) {
		SortedMap<Tier, JobPosition> known = new TreeMap<>();
		rooms.keySet()
			.stream()
			.filter(this::isServed)
			.forEach((queue) -> known.putAll(floors.of(queue, room(rooms, queue).maxPriority())));
		if (rooms.size() == 1 && !known.isEmpty()) {
			String queue = known.firstKey().queue();
			return List.of(demand(queue, room(rooms, queue), known));
		}
		return known.entrySet()
			.stream()
			.sorted(Comparator.comparingInt((Map.Entry<Tier, JobPosition> tier) -> tier.getKey().priority())
				.thenComparing(Map.Entry::getValue))
			.map((tier) -> demand(tier.getKey().queue(), room(rooms, tier.getKey().queue()),
					new TreeMap<>(Map.of(tier.getKey(), tier.getValue()))))
			.toList();
	}

	private static Capacity room(Map<String, Capacity> rooms, String queue) {
		return Objects.requireNonNull(rooms.get(queue));
	}

	private ClaimRequest demand(String queue, Capacity room, SortedMap<Tier, JobPosition> floors) {
		QueueSettings own = this.settings.apply(queue);
		return new ClaimRequest(queue, this.types.all().getOrDefault(queue, Set.of()),
				this.types.once().getOrDefault(queue, Set.of()), this.claims.getAsLong(), room.free(), room.prefetch(),
				own.maxAttempts(), own.maxRunTime(), own.keepDead(), floors, own.limits())
			.withTypeLimits(this.types.limits(queue, own));
	}

}

package io.jobqueue.worker;

import java.util.ArrayList;
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
 * Puts the room of lanes into the words of the store, under a new claim number each.
 */
final class Demands {

	private final Function<String, QueueSettings> settings;

	private final WorkerSettings worker;

	private volatile ServedTypes types;

	private final LongSupplier claims;

	/**
	 * Create demands.
	 * @param claims what numbers the claims of the worker
	 */
	Demands(ServedTypes types, Function<String, QueueSettings> settings, WorkerSettings worker, LongSupplier claims) {
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
		return this.types.all().containsKey(tier.queue()) && tier.priority() >= this.worker.minPriority()
				&& tier.priority() <= this.worker.maxPriority();
	}

	AdmissionRules keyRules(String queue) {
		return this.settings.apply(queue).keys();
	}

	/**
	 * Return what to claim for lanes: nothing where no job is known of.
	 */
	List<ClaimRequest> of(Map<String, Room> rooms, Floors floors) {
		return rooms.entrySet()
			.stream()
			.filter((entry) -> this.types.all().containsKey(entry.getKey()))
			.map((entry) -> demand(entry.getValue(), entry.getKey(),
					floors.of(entry.getKey(), entry.getValue().maxPriority())))
			.filter((demand) -> !demand.floors().isEmpty())
			.toList();
	}

	/**
	 * Return the same, but where several queues are demanded tier by tier: the most
	 * urgent first, and of those the one where jobs have been due for longest.
	 */
	List<ClaimRequest> inTurn(Map<String, Room> rooms, Floors floors) {
		if (rooms.size() == 1) {
			return of(rooms, floors);
		}
		List<Map.Entry<Tier, JobPosition>> tiers = new ArrayList<>();
		rooms.forEach((queue, room) -> tiers.addAll(floors.of(queue, room.maxPriority()).entrySet()));
		tiers.sort(Comparator.comparingInt((Map.Entry<Tier, JobPosition> tier) -> tier.getKey().priority())
			.thenComparing(Map.Entry::getValue));
		return tiers.stream()
			.map((tier) -> demand(Objects.requireNonNull(rooms.get(tier.getKey().queue())), tier.getKey().queue(),
					new TreeMap<>(Map.of(tier.getKey(), tier.getValue()))))
			.toList();
	}

	private ClaimRequest demand(Room room, String queue, SortedMap<Tier, JobPosition> floors) {
		QueueSettings own = this.settings.apply(queue);
		return new ClaimRequest(queue, this.types.all().getOrDefault(queue, Set.of()),
				this.types.once().getOrDefault(queue, Set.of()), this.claims.getAsLong(), room.free(), room.prefetch(),
				own.maxAttempts(), own.maxRunTime(), own.keepDead(), floors, own.limits())
			.withTypeLimits(this.types.limits(queue, own));
	}

}

package io.jobqueue.worker;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.jobqueue.store.KeyRules;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.ServedQueue;
import io.jobqueue.store.Tier;

/**
 * Puts the room of lanes into the words of the store, under a new claim number each.
 */
final class Demands {

	private final Function<String, QueueSettings> settings;

	private final WorkerSettings worker;

	private volatile ServedTypes types;

	private long claims;

	Demands(ServedTypes types, Function<String, QueueSettings> settings, WorkerSettings worker) {
		this.types = types;
		this.settings = settings;
		this.worker = worker;
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

	KeyRules keyRules(String queue) {
		return this.settings.apply(queue).keys();
	}

	/**
	 * Return what to claim for lanes: nothing where no job is known of.
	 */
	List<QueueDemand> of(Map<String, Room> rooms, Floors floors) {
		return rooms.entrySet()
			.stream()
			.filter((entry) -> this.types.all().containsKey(entry.getKey()))
			.map((entry) -> demand(entry.getKey(), entry.getValue(), floors))
			.filter((demand) -> !demand.floors().isEmpty())
			.toList();
	}

	private QueueDemand demand(String queue, Room room, Floors floors) {
		QueueSettings own = this.settings.apply(queue);
		return new QueueDemand(queue, this.types.all().getOrDefault(queue, Set.of()),
				this.types.once().getOrDefault(queue, Set.of()), ++this.claims, room.free(), room.prefetch(),
				own.maxAttempts(), own.maxRunTime(), own.keepDead(), floors.of(queue, room.maxPriority()),
				own.limits());
	}

}

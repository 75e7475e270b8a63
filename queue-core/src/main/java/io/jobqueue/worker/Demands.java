package io.jobqueue.worker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.jobqueue.store.QueueDemand;
import io.jobqueue.worker.Lane.Room;

/**
 * Puts the room of lanes into the words of the store, under a new claim number each.
 */
final class Demands {

	private final Map<String, Set<String>> types;

	private final Function<String, QueueSettings> settings;

	private final WorkerSettings worker;

	private long claims;

	Demands(Map<String, Set<String>> types, Function<String, QueueSettings> settings, WorkerSettings worker) {
		this.types = types;
		this.settings = settings;
		this.worker = worker;
	}

	List<QueueDemand> of(Map<Lane, Room> rooms) {
		return rooms.entrySet().stream().map((entry) -> demand(entry.getKey().queue(), entry.getValue())).toList();
	}

	List<QueueDemand> ofAll(Collection<Lane> lanes) {
		return lanes.stream().map((lane) -> demand(lane.queue(), Room.NONE)).toList();
	}

	private QueueDemand demand(String queue, Room room) {
		QueueSettings own = this.settings.apply(queue);
		return new QueueDemand(queue, this.types.getOrDefault(queue, Set.of()), ++this.claims, room.free(),
				room.prefetch(), own.maxAttempts(), own.maxRunTime(), own.keepDead(), this.worker.minPriority(),
				this.worker.maxPriority());
	}

}

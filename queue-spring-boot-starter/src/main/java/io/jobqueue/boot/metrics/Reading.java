package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.store.LaneReading;

/**
 * All that the gauges show, as of one moment.
 *
 * @param lanes the queues and priority classes that hold jobs
 * @param absent what holds for all the others
 */
record Reading(Map<Lane, LaneTotals> lanes, LaneTotals absent) {

	static final Reading UNKNOWN = new Reading(Map.of(), LaneTotals.UNKNOWN);

	static Reading of(Collection<LaneReading> lanes, Set<String> declared) {
		return new Reading(
				lanes.stream()
					.collect(Collectors.toMap((lane) -> Lane.of(lane, declared), LaneTotals::of, LaneTotals::and)),
				LaneTotals.NONE);
	}

	LaneTotals of(String queue, PriorityClass priority) {
		return this.lanes.getOrDefault(new Lane(queue, priority), this.absent);
	}

	private record Lane(String queue, PriorityClass priority) {

		static Lane of(LaneReading lane, Set<String> declared) {
			return new Lane(declared.contains(lane.queue()) ? lane.queue() : DeclaredNames.OTHER,
					Priority.of(lane.priority()).priorityClass());
		}

	}

}

package io.jobqueue.boot.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.LaneReading;

/**
 * All that the gauges show, as of one moment.
 *
 * @param lanes the queues and priority classes that hold jobs
 * @param absent what holds for all the others
 */
record Reading(Map<Lane, LaneTotals> lanes, LaneTotals absent) {

	static final Reading UNKNOWN = new Reading(Map.of(), LaneTotals.UNKNOWN);

	static Reading of(GaugeReading reading, Set<String> declared) {
		Map<Lane, LaneTotals> lanes = reading.lanes()
			.stream()
			.collect(Collectors.toMap((lane) -> Lane.of(lane, declared), LaneTotals::of, LaneTotals::and));
		if (!reading.complete()) {
			Lane.others().forEach((lane) -> lanes.put(lane, LaneTotals.UNKNOWN));
		}
		return new Reading(lanes, LaneTotals.NONE);
	}

	LaneTotals of(String queue, PriorityClass priority) {
		return this.lanes.getOrDefault(new Lane(queue, priority), this.absent);
	}

	private record Lane(String queue, PriorityClass priority) {

		/**
		 * What stands for queues that nobody declares.
		 */
		static List<Lane> others() {
			return Arrays.stream(PriorityClass.values())
				.map((priority) -> new Lane(DeclaredNames.OTHER, priority))
				.toList();
		}

		static Lane of(LaneReading lane, Set<String> declared) {
			return new Lane(declared.contains(lane.queue()) ? lane.queue() : DeclaredNames.OTHER,
					Priority.of(lane.priority()).priorityClass());
		}

	}

}

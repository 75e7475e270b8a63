package io.jobqueue.boot.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.store.GaugeReading;
import io.jobqueue.store.TierReading;

/**
 * All that the gauges show, as of one moment.
 *
 * @param tiers the queues and priority classes that hold jobs
 * @param absent what holds for all the others
 */
record Reading(Map<Tier, TierTotals> tiers, TierTotals absent) {

	static final Reading UNKNOWN = new Reading(Map.of(), TierTotals.UNKNOWN);

	static Reading of(GaugeReading reading, Set<String> declared) {
		Map<Tier, TierTotals> tiers = reading.tiers()
			.stream()
			.collect(Collectors.toMap((tier) -> Tier.of(tier, declared), TierTotals::of, TierTotals::and));
		if (!reading.complete()) {
			Tier.others().forEach((tier) -> tiers.put(tier, TierTotals.UNKNOWN));
		}
		return new Reading(tiers, TierTotals.NONE);
	}

	TierTotals of(String queue, PriorityClass priority) {
		return this.tiers.getOrDefault(new Tier(queue, priority), this.absent);
	}

	private record Tier(String queue, PriorityClass priority) {

		/**
		 * What stands for queues that nobody declares.
		 */
		static List<Tier> others() {
			return Arrays.stream(PriorityClass.values())
				.map((priority) -> new Tier(DeclaredNames.OTHER, priority))
				.toList();
		}

		static Tier of(TierReading tier, Set<String> declared) {
			return new Tier(declared.contains(tier.queue()) ? tier.queue() : DeclaredNames.OTHER,
					Priority.of(tier.priority()).priorityClass());
		}

	}

}

package io.jobqueue.internal.dashboard.jobs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Relation;
import io.jobqueue.internal.store.RelationStore.Relation.Kind;

/**
 * The jobs and batches that are closest to a job, in layers: what follows another one is
 * in the next layer.
 *
 * @param depths the layer of each, 0 for that of the job
 * @param relations the relations between them
 * @param more the number of those that are left out
 * @param capped whether there are more than that
 */
record Layers(Map<UUID, Integer> depths, List<Relation> relations, int more, boolean capped) {

	private static final int MAX_NODES = 40;

	/**
	 * The maximum number of children of one job.
	 */
	private static final int MAX_CHILDREN = 12;

	static Layers around(UUID job, List<Relation> relations) {
		Set<Relation> distinct = new LinkedHashSet<>(relations);
		Map<UUID, List<Step>> steps = steps(distinct);
		Map<UUID, Integer> depths = nearest(job, steps);
		return new Layers(depths,
				distinct.stream()
					.filter((relation) -> depths.containsKey(relation.from()) && depths.containsKey(relation.to()))
					.toList(),
				steps.size() - depths.size(), relations.size() >= RelationStore.MAX_FAMILY);
	}

	private static Map<UUID, List<Step>> steps(Collection<Relation> relations) {
		Map<UUID, List<Step>> steps = new LinkedHashMap<>();
		relations.forEach((relation) -> {
			boolean child = relation.kind() == Kind.PARENT;
			steps.computeIfAbsent(relation.from(), (id) -> new ArrayList<>()).add(new Step(relation.to(), 1, child));
			steps.computeIfAbsent(relation.to(), (id) -> new ArrayList<>()).add(new Step(relation.from(), -1, false));
		});
		return steps;
	}

	private static Map<UUID, Integer> nearest(UUID job, Map<UUID, List<Step>> steps) {
		Map<UUID, Integer> depths = new LinkedHashMap<>(Map.of(job, 0));
		Queue<UUID> next = new ArrayDeque<>(List.of(job));
		while (!next.isEmpty()) {
			UUID from = next.remove();
			for (Step step : few(steps.getOrDefault(from, List.of()))) {
				if (depths.size() < MAX_NODES && !depths.containsKey(step.to())) {
					depths.put(step.to(), depths.getOrDefault(from, 0) + step.layers());
					next.add(step.to());
				}
			}
		}
		return depths;
	}

	/**
	 * Children come last, so that many of them do not displace the others.
	 */
	private static List<Step> few(List<Step> steps) {
		return Stream
			.concat(steps.stream().filter((step) -> !step.child()),
					steps.stream().filter(Step::child).limit(MAX_CHILDREN))
			.toList();
	}

	Collection<UUID> ids() {
		return this.depths.keySet();
	}

	private record Step(UUID to, int layers, boolean child) {

	}

}

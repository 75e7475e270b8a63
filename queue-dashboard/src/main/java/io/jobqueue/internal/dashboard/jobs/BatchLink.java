package io.jobqueue.internal.dashboard.jobs;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;

/**
 * A batch of a job.
 *
 * @param role what the job is to the batch, such as {@code Member of batch}
 * @param id the id of the batch
 * @param name its name or asterisks, {@code null} if it is no longer stored
 */
public record BatchLink(String role, UUID id, @Nullable String name) {

	static List<BatchLink> of(UUID job, List<Relation> relations, RelationStore store, ValueSanitizer sanitizer) {
		Map<UUID, String> roles = relations.stream()
			.filter((relation) -> isOf(job, relation))
			.collect(Collectors.toMap(BatchLink::batch, BatchLink::role, (first, second) -> first));
		if (roles.isEmpty()) {
			return List.of();
		}
		Map<UUID, Related> known = store.find(roles.keySet())
			.stream()
			.collect(Collectors.toMap(Related::id, Function.identity()));
		return roles.entrySet().stream().map((role) -> {
			Related batch = known.get(role.getKey());
			return new BatchLink(role.getValue(), role.getKey(), (batch != null) ? sanitizer.text(batch.type()) : null);
		}).toList();
	}

	private static boolean isOf(UUID job, Relation relation) {
		return switch (relation.kind()) {
			case MEMBER -> relation.from().equals(job);
			case CALLBACK, FAILURE_CALLBACK -> relation.to().equals(job);
			case PARENT, PREDECESSOR -> false;
		};
	}

	private static UUID batch(Relation relation) {
		return (relation.kind() == Relation.Kind.MEMBER) ? relation.to() : relation.from();
	}

	private static String role(Relation relation) {
		return switch (relation.kind()) {
			case MEMBER -> "Member of batch";
			case CALLBACK -> "Ends the batch";
			case FAILURE_CALLBACK -> "Runs if this batch fails";
			case PARENT, PREDECESSOR -> throw new IllegalArgumentException("Not a relation of a batch: " + relation);
		};
	}

}

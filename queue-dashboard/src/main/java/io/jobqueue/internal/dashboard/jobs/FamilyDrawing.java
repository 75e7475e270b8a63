package io.jobqueue.internal.dashboard.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.drawing.Drawing;
import io.jobqueue.internal.dashboard.drawing.Drawing.Node;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;

/**
 * The family, the dependencies and the batch of a job as a drawing.
 *
 * @param drawing the jobs and batches
 * @param more the number of jobs and batches that are left out
 * @param capped whether the number is too small
 */
public record FamilyDrawing(Drawing drawing, long more, boolean capped) {

	static @Nullable FamilyDrawing around(UUID job, List<Relation> relations, RelationStore store,
			ValueSanitizer sanitizer) {
		if (relations.isEmpty()) {
			return null;
		}
		Layers layers = Layers.around(job, relations);
		Map<UUID, Related> known = store.find(layers.ids())
			.stream()
			.collect(Collectors.toMap(Related::id, Function.identity()));
		Map<Node, Integer> columns = new LinkedHashMap<>();
		layers.depths().forEach((id, depth) -> columns.put(node(id, known.get(id), id.equals(job), sanitizer), depth));
		return new FamilyDrawing(Drawing.of(columns, layers.relations().stream().map(FamilyDrawing::drawn).toList()),
				layers.more(), layers.capped());
	}

	private static Node node(UUID id, @Nullable Related related, boolean current, ValueSanitizer sanitizer) {
		if (related == null) {
			return new Node(id.toString(), "no longer stored", "", "", "gone", null, current);
		}
		JobState state = related.state();
		if (state == null) {
			return new Node(id.toString(), String.valueOf(sanitizer.text(related.type())), "batch", "", "batch",
					"/batches/" + id, current);
		}
		String name = state.name().toLowerCase(Locale.ROOT);
		return new Node(id.toString(), related.type(), name, String.valueOf(related.queue()), name, "/jobs/" + id,
				current);
	}

	private static Drawing.Relation drawn(Relation relation) {
		String kind = relation.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
		return new Drawing.Relation(relation.from().toString(), relation.to().toString(), words(relation.kind()), kind,
				"");
	}

	private static String words(Relation.Kind kind) {
		return switch (kind) {
			case PARENT -> "has enqueued";
			case PREDECESSOR -> "must end before";
			case MEMBER -> "belongs to the batch";
			case CALLBACK -> "is the batch that must end before";
			case FAILURE_CALLBACK -> "is the batch whose first failure starts";
		};
	}

}

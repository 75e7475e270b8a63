package io.jobqueue.internal.dashboard.jobs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.jobs.Drawing.Edge;
import io.jobqueue.internal.dashboard.jobs.Drawing.Node;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;

/**
 * Places the nodes of a drawing in columns, one for each layer.
 */
final class DrawingLayout {

	private static final int MARGIN = 8;

	private static final int COLUMN = Node.WIDTH + 70;

	private static final int ROW = Node.HEIGHT + 16;

	private DrawingLayout() {
	}

	static Drawing of(Layers layers, UUID job, List<Related> found, ValueSanitizer sanitizer) {
		Map<UUID, Related> known = found.stream().collect(Collectors.toMap(Related::id, Function.identity()));
		Map<Integer, List<Node>> columns = new TreeMap<>();
		layers.depths()
			.forEach((id, depth) -> columns.computeIfAbsent(depth, (key) -> new ArrayList<>())
				.add(Node.of(id, known.get(id), id.equals(job), sanitizer)));
		int rows = columns.values().stream().mapToInt(List::size).max().orElse(0);
		Map<UUID, Node> placed = place(columns.values(), rows);
		return new Drawing(List.copyOf(placed.values()),
				layers.relations().stream().map((relation) -> edge(relation, placed)).toList(),
				2 * MARGIN + columns.size() * COLUMN - (COLUMN - Node.WIDTH),
				2 * MARGIN + rows * ROW - (ROW - Node.HEIGHT), layers.more(), layers.capped());
	}

	private static Map<UUID, Node> place(Iterable<List<Node>> columns, int rows) {
		Map<UUID, Node> placed = new LinkedHashMap<>();
		int x = MARGIN;
		for (List<Node> column : columns) {
			int y = MARGIN + (rows - column.size()) * ROW / 2;
			for (Node node : column) {
				placed.put(node.id(), node.at(x, y));
				y += ROW;
			}
			x += COLUMN;
		}
		return placed;
	}

	private static Edge edge(Relation relation, Map<UUID, Node> nodes) {
		Node from = node(nodes, relation.from());
		Node to = node(nodes, relation.to());
		String kind = relation.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
		return new Edge(from, to, words(relation.kind()), kind, path(from, to));
	}

	private static Node node(Map<UUID, Node> nodes, UUID id) {
		return Objects.requireNonNull(nodes.get(id));
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

	private static String path(Node from, Node to) {
		int x1 = from.x() + Node.WIDTH;
		int y1 = from.y() + Node.HEIGHT / 2;
		int x2 = to.x() - 6;
		int y2 = to.y() + Node.HEIGHT / 2;
		int bend = Math.max(30, (x2 - x1) / 2);
		return "M%d %dC%d %d %d %d %d %d".formatted(x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2);
	}

}

package io.jobqueue.internal.dashboard.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.jobqueue.internal.dashboard.drawing.Drawing.Edge;
import io.jobqueue.internal.dashboard.drawing.Drawing.Node;
import io.jobqueue.internal.dashboard.drawing.Drawing.Relation;

/**
 * Places nodes in columns. A line that goes beyond the next column passes between the
 * nodes of those that it crosses; lines of one node share their passages. In each column,
 * nodes and passages follow the order of what comes before them.
 */
final class DrawingLayout {

	private static final int MARGIN = 8;

	private static final int GAP = 70;

	/**
	 * The distance of columns if lines have labels.
	 */
	private static final int LABEL_GAP = 120;

	private static final int ROW_GAP = 16;

	private static final int ARROW = 6;

	private static final int MIN_BEND = 30;

	private final Map<String, Slot> slots = new LinkedHashMap<>();

	private final TreeMap<Integer, Set<Slot>> columns = new TreeMap<>();

	private final Map<Slot, List<Slot>> before = new HashMap<>();

	private final Map<Relation, List<Slot>> ways = new LinkedHashMap<>();

	private final Map<Slot, Integer> centers = new HashMap<>();

	private final Map<String, Node> placed = new LinkedHashMap<>();

	private final int gap;

	DrawingLayout(Map<Node, Integer> columns, List<Relation> relations) {
		columns.forEach((node, column) -> this.slots.put(node.id(), add(new Slot(node, column, Node.HEIGHT))));
		relations.forEach((relation) -> this.ways.put(relation, way(slot(relation.from()), slot(relation.to()))));
		this.gap = relations.stream().allMatch((relation) -> relation.label().isEmpty()) ? GAP : LABEL_GAP;
	}

	private Slot add(Slot slot) {
		this.columns.computeIfAbsent(slot.column(), (column) -> new LinkedHashSet<>()).add(slot);
		return slot;
	}

	private Slot slot(String id) {
		return Objects.requireNonNull(this.slots.get(id));
	}

	private List<Slot> way(Slot from, Slot to) {
		List<Slot> way = new ArrayList<>(List.of(from));
		for (int column = from.column() + 1; column < to.column(); column++) {
			way.add(add(new Slot(from.node(), column, 0)));
		}
		way.add(to);
		for (int next = 1; next < way.size() && from.column() < to.column(); next++) {
			this.before.computeIfAbsent(way.get(next), (slot) -> new ArrayList<>()).add(way.get(next - 1));
		}
		return way;
	}

	Drawing draw() {
		int height = this.columns.values().stream().mapToInt(DrawingLayout::height).max().orElse(0);
		this.columns.values().forEach((column) -> place(column, height));
		this.slots
			.forEach((id, slot) -> this.placed.put(id, slot.node().at(left(slot), center(slot) - Node.HEIGHT / 2)));
		int width = (this.columns.lastKey() - this.columns.firstKey()) * (Node.WIDTH + this.gap) + Node.WIDTH;
		return new Drawing(List.copyOf(this.placed.values()),
				this.ways.entrySet().stream().map((way) -> edge(way.getKey(), way.getValue())).toList(),
				2 * MARGIN + width, 2 * MARGIN + height);
	}

	private static int height(Set<Slot> column) {
		return column.stream().mapToInt((slot) -> slot.height() + ROW_GAP).sum() - ROW_GAP;
	}

	private void place(Set<Slot> column, int height) {
		int y = MARGIN + (height - height(column)) / 2;
		for (Slot slot : ordered(column)) {
			this.centers.put(slot, y + slot.height() / 2);
			y += slot.height() + ROW_GAP;
		}
	}

	/**
	 * What has nothing before it comes last.
	 */
	private List<Slot> ordered(Set<Slot> column) {
		return column.stream().sorted(Comparator.comparingDouble(this::middleOfBefore)).toList();
	}

	private double middleOfBefore(Slot slot) {
		return this.before.getOrDefault(slot, List.of())
			.stream()
			.mapToInt(this::center)
			.average()
			.orElse(Double.MAX_VALUE);
	}

	private int center(Slot slot) {
		return Objects.requireNonNull(this.centers.get(slot));
	}

	private int left(Slot slot) {
		return MARGIN + (slot.column() - this.columns.firstKey()) * (Node.WIDTH + this.gap);
	}

	private Edge edge(Relation relation, List<Slot> way) {
		StringBuilder path = new StringBuilder("M%s %s".formatted(left(way.get(0)) + Node.WIDTH, center(way.get(0))));
		for (int next = 1; next < way.size(); next++) {
			path.append(line(way.get(next - 1), way.get(next)));
		}
		Slot last = way.get(way.size() - 2);
		Slot to = way.get(way.size() - 1);
		return new Edge(node(relation.from()), node(relation.to()), relation, path.toString(),
				(left(last) + Node.WIDTH + left(to)) / 2, (center(last) + center(to)) / 2);
	}

	private Node node(String id) {
		return Objects.requireNonNull(this.placed.get(id));
	}

	/**
	 * Return a curve to the left side of a slot, and through it if it is a passage.
	 */
	private String line(Slot from, Slot to) {
		int x1 = left(from) + Node.WIDTH;
		int x2 = left(to) - ((to.height() > 0) ? ARROW : 0);
		int bend = Math.max(MIN_BEND, (x2 - x1) / 2);
		String curve = "C%s %s %s %s %s %s".formatted(x1 + bend, center(from), x2 - bend, center(to), x2, center(to));
		return (to.height() > 0) ? curve : curve + "H" + (x2 + Node.WIDTH);
	}

	/**
	 * A place in a column.
	 *
	 * @param node the node, or that whose lines pass
	 * @param column the number of the column
	 * @param height the height of the node, 0 for a passage
	 */
	private record Slot(Node node, int column, int height) {

	}

}

package io.jobqueue.internal.dashboard.drawing;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.dashboard.ShortText;

/**
 * Jobs, batches or steps and what they are for each other. Time goes from left to right.
 *
 * @param nodes what is drawn
 * @param edges their relations
 * @param width the width in pixels
 * @param height the height in pixels
 */
public record Drawing(List<Node> nodes, List<Edge> edges, int width, int height) {

	/**
	 * Draw nodes in columns.
	 * @param columns the number of the column of each node, in the order of the nodes in
	 * a column; what follows another node is in a column with a higher number
	 * @param relations the relations between the nodes
	 * @return the drawing
	 */
	public static Drawing of(Map<Node, Integer> columns, List<Relation> relations) {
		return new DrawingLayout(columns, relations).draw();
	}

	/**
	 * A job, a batch or a step.
	 *
	 * @param id its id
	 * @param label the name of the type, the batch or the step
	 * @param state the state in words
	 * @param queue the queue, without text if it has none
	 * @param kind the suffix of a class of style sheets
	 * @param link the path of its page, {@code null} if it has none
	 * @param current whether the page is about it
	 * @param x the position of its left side
	 * @param y the position of its upper side
	 */
	public record Node(String id, String label, String state, String queue, String kind, @Nullable String link,
			boolean current, int x, int y) {

		/**
		 * The width of each node in pixels.
		 */
		public static final int WIDTH = 190;

		/**
		 * The height of each node in pixels.
		 */
		public static final int HEIGHT = 46;

		private static final int MAX_LABEL = 24;

		/**
		 * Create a node that has no place yet.
		 * @param id its id
		 * @param label the name of the type, the batch or the step
		 * @param state the state in words
		 * @param queue the queue, without text if it has none
		 * @param kind the suffix of a class of style sheets
		 * @param link the path of its page, {@code null} if it has none
		 * @param current whether the page is about it
		 */
		public Node(String id, String label, String state, String queue, String kind, @Nullable String link,
				boolean current) {
			this(id, label, state, queue, kind, link, current, 0, 0);
		}

		Node at(int x, int y) {
			return new Node(this.id, this.label, this.state, this.queue, this.kind, this.link, this.current, x, y);
		}

		/**
		 * Return the first line of the node.
		 * @return the label, cut to its width
		 */
		public String shortLabel() {
			return ShortText.of(this.label, MAX_LABEL);
		}

		/**
		 * Return the second line of the node.
		 * @return the state and the queue, cut to its width
		 */
		public String shortState() {
			return ShortText.of(this.queue.isEmpty() ? this.state : this.state + " · " + this.queue, MAX_LABEL);
		}

		/**
		 * Return all that is known of the node.
		 * @return a text
		 */
		public String title() {
			return Stream.of(this.label, this.state, this.queue, this.id)
				.filter((text) -> !text.isEmpty())
				.distinct()
				.collect(Collectors.joining(", "));
		}

	}

	/**
	 * A relation that is to be drawn.
	 *
	 * @param from the id of the node that comes first
	 * @param to the id of the node that follows
	 * @param words what the first one is for the second one
	 * @param kind the suffix of a class of style sheets
	 * @param label the text at the line, without text for none
	 */
	public record Relation(String from, String to, String words, String kind, String label) {

	}

	/**
	 * A relation as a line.
	 *
	 * @param from the node that comes first
	 * @param to the node that follows
	 * @param relation what they are for each other
	 * @param path the line, as the data of a path
	 * @param x the middle of the label
	 * @param y the base of the label
	 */
	public record Edge(Node from, Node to, Relation relation, String path, int x, int y) {

		private static final int MAX_LABEL = 15;

		/**
		 * Return the text at the line.
		 * @return the label, cut to the distance of the nodes
		 */
		public String shortLabel() {
			return ShortText.of(this.relation.label(), MAX_LABEL);
		}

	}

}

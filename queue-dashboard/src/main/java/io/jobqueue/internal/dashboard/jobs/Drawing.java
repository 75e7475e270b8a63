package io.jobqueue.internal.dashboard.jobs;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;

/**
 * The family, the dependencies and the batch of a job as a drawing. Time goes from left
 * to right.
 *
 * @param nodes jobs and batches
 * @param edges their relations
 * @param width the width in pixels
 * @param height the height in pixels
 * @param more the number of jobs and batches that are left out
 * @param capped whether the number is too small
 */
public record Drawing(List<Node> nodes, List<Edge> edges, int width, int height, long more, boolean capped) {

	static @Nullable Drawing around(UUID job, List<Relation> relations, RelationStore store, ValueSanitizer sanitizer) {
		if (relations.isEmpty()) {
			return null;
		}
		Layers layers = Layers.around(job, relations);
		return DrawingLayout.of(layers, job, store.find(layers.ids()), sanitizer);
	}

	/**
	 * A job or a batch.
	 *
	 * @param id its id
	 * @param label the name of the type or of the batch
	 * @param state the state in words
	 * @param queue the queue, without text for a batch
	 * @param kind the suffix of a class of style sheets
	 * @param link the path of its page, {@code null} if it is gone
	 * @param current whether the page is about it
	 * @param x the position of its left side
	 * @param y the position of its upper side
	 */
	public record Node(UUID id, String label, String state, String queue, String kind, @Nullable String link,
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

		static Node of(UUID id, @Nullable Related related, boolean current, ValueSanitizer sanitizer) {
			if (related == null) {
				return new Node(id, "no longer stored", "", "", "gone", null, current, 0, 0);
			}
			JobState state = related.state();
			if (state == null) {
				return new Node(id, String.valueOf(sanitizer.text(related.type())), "batch", "", "batch",
						"/batches/" + id, current, 0, 0);
			}
			String name = state.name().toLowerCase(Locale.ROOT);
			return new Node(id, related.type(), name, String.valueOf(related.queue()), name, "/jobs/" + id, current, 0,
					0);
		}

		Node at(int x, int y) {
			return new Node(this.id, this.label, this.state, this.queue, this.kind, this.link, this.current, x, y);
		}

		/**
		 * Return the first line of the node.
		 * @return the label, cut to its width
		 */
		public String shortLabel() {
			return cut(this.label);
		}

		/**
		 * Return the second line of the node.
		 * @return the state and the queue, cut to its width
		 */
		public String shortState() {
			return cut(this.queue.isEmpty() ? this.state : this.state + " · " + this.queue);
		}

		/**
		 * Return all that is known of the node.
		 * @return a text
		 */
		public String title() {
			return String.join(", ", List.of(this.label, this.state, this.queue, this.id.toString()));
		}

		private static String cut(String text) {
			return (text.length() > MAX_LABEL) ? text.substring(0, MAX_LABEL - 1) + "…" : text;
		}

	}

	/**
	 * A relation.
	 *
	 * @param from the node that comes first
	 * @param to the node that follows
	 * @param words what the first one is for the second one
	 * @param kind the suffix of a class of style sheets
	 * @param path the line, as the data of a path
	 */
	public record Edge(Node from, Node to, String words, String kind, String path) {

	}

}

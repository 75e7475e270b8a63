package io.jobqueue.internal.dashboard.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobState;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.drawing.Drawing;
import io.jobqueue.internal.dashboard.drawing.Drawing.Node;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;
import io.jobqueue.internal.store.RelationStore.Relation.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drawings of related jobs. Job 1 is the one that the page is about.
 */
class FamilyDrawingTests {

	private final List<Relation> relations = new ArrayList<>();

	private static UUID id(int number) {
		return new UUID(0, number);
	}

	private static String key(int number) {
		return id(number).toString();
	}

	private void relate(Kind kind, int from, int to) {
		this.relations.add(new Relation(kind, id(from), id(to)));
	}

	@Test
	void withoutRelationsThereIsNone() {
		assertThat(draw(true)).isNull();
	}

	/**
	 * The predecessor, the job and its child, and the second child to the right of both.
	 */
	@Test
	void whatFollowsIsToTheRight() {
		relate(Kind.PREDECESSOR, 2, 1);
		relate(Kind.PARENT, 1, 3);
		relate(Kind.PARENT, 1, 4);
		relate(Kind.PARENT, 3, 5);
		relate(Kind.PARENT, 3, 5);
		Drawing drawing = drawn(true);
		Map<String, Node> nodes = drawing.nodes().stream().collect(Collectors.toMap(Node::id, (node) -> node));
		assertThat(drawing.edges()).hasSize(4);
		assertThat(nodes).hasSize(5);
		assertThat(nodes.get(key(2)).x()).isEqualTo(8).isLessThan(nodes.get(key(1)).x());
		assertThat(nodes.get(key(1)).x()).isLessThan(nodes.get(key(3)).x());
		assertThat(nodes.get(key(3)).x()).isEqualTo(nodes.get(key(4)).x()).isLessThan(nodes.get(key(5)).x());
		assertThat(nodes.get(key(3)).y()).isNotEqualTo(nodes.get(key(4)).y());
		assertThat(drawing.nodes()).filteredOn(Node::current).extracting(Node::id).containsExactly(key(1));
		assertThat(drawing.nodes()).allSatisfy((node) -> {
			assertThat(node.x() + Node.WIDTH).isLessThan(drawing.width());
			assertThat(node.y() + Node.HEIGHT).isLessThan(drawing.height());
		});
	}

	@Test
	void manyChildrenAreCountedAndDoNotDisplaceOthers() {
		for (int child = 10; child < 250; child++) {
			relate(Kind.PARENT, 1, child);
		}
		relate(Kind.PREDECESSOR, 1, 2);
		relate(Kind.MEMBER, 1, 3);
		FamilyDrawing family = family(true);
		assertThat(family.drawing().nodes()).hasSize(15).extracting(Node::id).contains(key(2), key(3));
		assertThat(family.more()).isEqualTo(228);
		assertThat(family.capped()).isFalse();
	}

	@Test
	void numberOfNodesIsLimited() {
		IntStream.range(1, 300).forEach((job) -> relate(Kind.PREDECESSOR, 1, 1 + job));
		assertThat(drawn(true).nodes()).hasSize(40);
		IntStream.range(300, 2_000).forEach((job) -> relate(Kind.PARENT, 1, 1 + job));
		assertThat(family(true).capped()).isTrue();
	}

	@Test
	void jobsThatAreGoneHaveNoLink() {
		relate(Kind.PARENT, 1_001, 1);
		assertThat(drawn(true).nodes()).filteredOn((node) -> node.id().equals(key(1_001)))
			.singleElement()
			.extracting(Node::link, Node::shortLabel)
			.containsExactly(null, "no longer stored");
	}

	/**
	 * A name of a batch can be confidential.
	 */
	@Test
	void nameOfABatchIsHiddenWithOtherValues() {
		relate(Kind.MEMBER, 1, 3);
		assertThat(drawn(true).nodes()).extracting(Node::label).containsExactlyInAnyOrder("mail", "batch 3");
		assertThat(drawn(false).nodes()).extracting(Node::label).containsExactlyInAnyOrder("mail", "******");
		assertThat(drawn(false).nodes()).extracting(Node::link).contains("/batches/" + id(3));
	}

	private FamilyDrawing family(boolean shown) {
		FamilyDrawing family = draw(shown);
		assertThat(family).isNotNull();
		return family;
	}

	private Drawing drawn(boolean shown) {
		return family(shown).drawing();
	}

	private @Nullable FamilyDrawing draw(boolean shown) {
		return FamilyDrawing.around(id(1), this.relations, new RelationStore() {

			@Override
			public List<Relation> around(UUID job) {
				return FamilyDrawingTests.this.relations;
			}

			@Override
			public List<Related> find(Collection<UUID> ids) {
				return ids.stream()
					.filter((id) -> id.compareTo(id(1_000)) < 0)
					.map(FamilyDrawingTests::related)
					.toList();
			}

		}, new ValueSanitizer(shown, "show-values"));
	}

	private static Related related(UUID id) {
		return id.equals(id(3)) ? new Related(id, null, "batch 3", null)
				: new Related(id, "emails", "mail", JobState.READY);
	}

}

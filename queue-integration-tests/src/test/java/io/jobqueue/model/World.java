package io.jobqueue.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.MaintenanceStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The database and the model of it, to which the same things happen.
 */
final class World {

	private static final int DAY = 24 * 60;

	private final ModelDatabase database;

	private final Model model = new Model();

	private final Map<Node, LiveNode> nodes = Node.ALL.stream()
		.collect(Collectors.toMap(Function.identity(), LiveNode::new));

	private int ids;

	World(ModelDatabase database) {
		this.database = database;
	}

	void live(Story story) {
		this.database.empty();
		try {
			Node.ALL.forEach(this::checkIn);
			story.operations().forEach(this::step);
			Node.ALL.forEach(this::rollBack);
			assertNothingIsHeldForEver();
			assertEveryJobEnds();
		}
		finally {
			Node.ALL.forEach((node) -> this.database.transaction(node).end(false));
		}
	}

	private void step(Operation operation) {
		this.model.clock().write();
		operation.happenIn(this);
		Snapshot expected = this.model.snapshot();
		Snapshot actual = this.database.snapshot();
		assertThat(actual.jobs()).as("jobs after: %s", operation).isEqualTo(expected.jobs());
		assertThat(actual.claims()).as("claims after: %s", operation).isEqualTo(expected.claims());
		assertThat(actual.workers()).as("workers after: %s", operation).isEqualTo(expected.workers());
		assertThat(actual.rate()).as("rate after: %s", operation).isEqualTo(expected.rate());
		assertThat(actual.keys()).as("keys after: %s", operation).isEqualTo(expected.keys());
	}

	/**
	 * When all workers are gone, nothing is left of their claims, nor of themselves.
	 */
	private void assertNothingIsHeldForEver() {
		step(new Pass(DAY, Set.copyOf(Node.ALL)));
		step(new Reap());
		step(new Reap());
		Snapshot end = this.database.snapshot();
		assertThat(end.jobs().values()).extracting(Snapshot.Job::state).doesNotContain(JobState.RUNNING);
		assertThat(end.claims()).isEmpty();
		assertThat(end.workers()).isEmpty();
	}

	/**
	 * Under the rate, the jobs that are left end within so many periods as it allows: a
	 * day later, all of them are due. The node that takes them knows all types.
	 */
	private void assertEveryJobEnds() {
		Node node = Node.ALL.get(2);
		int periods = this.model.live().size() / ModelRate.RATE.limit() + 1;
		Node.ALL.forEach((any) -> new Restart(any).happenIn(this));
		for (int period = 0; period < periods; period++) {
			new Pass(ModelRate.PERIOD, Set.of()).happenIn(this);
			new Claim(node, ModelRate.RATE.limit(), 0, true, true).happenIn(this);
			new RecordOutcomes(0, Result.COMPLETES, ModelRate.RATE.limit(), 0).happenIn(this);
		}
		assertThat(this.database.snapshot().jobs().values()).extracting(Snapshot.Job::state)
			.doesNotContain(JobState.READY, JobState.RUNNING, JobState.RETRYING, JobState.SCHEDULED);
	}

	void checkIn(Node node) {
		boolean known = this.database.stores().workers().checkIn(node(node).introduction(), false).known();
		assertThat(known).isEqualTo(this.model.workers().checkIn(node(node).worker()));
	}

	/**
	 * Roll back what a handler of the node has written, if any has.
	 */
	void rollBack(Node node) {
		node(node).completion().ifPresent((open) -> {
			this.database.transaction(node).end(false);
			node(node).completing(null);
			this.model.job(open.job()).locked(false);
		});
	}

	Model model() {
		return this.model;
	}

	LiveNode node(Node node) {
		return this.nodes.get(node);
	}

	ModelDatabase database() {
		return this.database;
	}

	JobStore jobs() {
		return this.database.stores().jobs();
	}

	MaintenanceStore maintenance() {
		return this.database.stores().maintenance();
	}

	JdbcClient sql() {
		return this.database.sql();
	}

	UUID newId() {
		return Ids.job(++this.ids);
	}

	/**
	 * Return one of the jobs that wait or run, if any does.
	 */
	Optional<ModelJob> anyLive(int choice) {
		return any(this.model.live(), choice);
	}

	/**
	 * Return one of the nodes of which something is true.
	 */
	Optional<Node> anyNode(Predicate<LiveNode> condition, int choice) {
		return any(nodes(condition).toList(), choice);
	}

	/**
	 * Return one of the jobs that a node believes to have.
	 */
	Optional<Holding> anyHolding(Predicate<LiveNode> condition, int choice) {
		return any(nodes(condition).flatMap((node) -> node(node).idle().stream().map((job) -> new Holding(node, job)))
			.toList(), choice);
	}

	private Stream<Node> nodes(Predicate<LiveNode> condition) {
		return Node.ALL.stream().filter((node) -> condition.test(node(node)));
	}

	private static <T> Optional<T> any(List<T> all, int choice) {
		return all.isEmpty() ? Optional.empty() : Optional.of(all.get(choice % all.size()));
	}

}

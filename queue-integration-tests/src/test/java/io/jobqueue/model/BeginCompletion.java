package io.jobqueue.model;

import java.util.List;
import java.util.UUID;

import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome.Completed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transactional handler enqueues a job and completes its own; the transaction stays
 * open, unless the claim was lost.
 */
record BeginCompletion(int choice) implements Operation {

	static final int KEEP = 60;

	static BeginCompletion any(Choices choices) {
		return new BeginCompletion(choices.below(12));
	}

	@Override
	public void happenIn(World world) {
		world.anyHolding((node) -> node.completion().isEmpty(), this.choice)
			.ifPresent((holding) -> begin(world, holding.node(), holding.job()));
	}

	private static void begin(World world, Node node, ClaimedJob job) {
		UUID worker = world.node(node).worker();
		UUID another = world.newId();
		JobStore inside = world.database().transaction(node).jobs();
		inside.enqueue(List.of(Draft.MAIL.job(another)));
		boolean completed = !inside.complete(worker, Completed.of(job, Minutes.duration(KEEP), null)).jobs().isEmpty();
		assertThat(completed).as("completion of %s", job).isEqualTo(world.model().holds(worker, job));
		if (completed) {
			stayOpen(world, node, job, new ModelJob(another, Draft.MAIL, world.model().clock()));
		}
		else {
			world.database().transaction(node).end(false);
		}
	}

	private static void stayOpen(World world, Node node, ClaimedJob job, ModelJob another) {
		world.model().job(job).locked(true);
		world.node(node).completing(new OpenCompletion(job, another, world.model().clock().now()));
	}

	@Override
	public String toString() {
		return "who claimed number %d enqueues a job and completes its own in a transaction".formatted(this.choice);
	}

}

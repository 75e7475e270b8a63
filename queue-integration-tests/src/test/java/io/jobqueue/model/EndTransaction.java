package io.jobqueue.model;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The transaction of a handler ends.
 */
record EndTransaction(int choice, Ending ending) implements Operation {

	static EndTransaction any(Choices choices) {
		return new EndTransaction(choices.below(3), choices.of(List.of(Ending.values())));
	}

	@Override
	public void happenIn(World world) {
		world.anyNode((node) -> node.completion().isPresent(), this.choice).ifPresent((node) -> end(world, node));
	}

	private void end(World world, Node node) {
		if (this.ending == Ending.ROLLS_BACK) {
			world.rollBack(node);
		}
		else {
			commit(world, node);
		}
	}

	private void commit(World world, Node node) {
		OpenCompletion open = world.node(node).completion().orElseThrow();
		world.node(node).completing(null);
		world.database().transaction(node).end(true);
		world.model().job(open.job()).succeeded(BeginCompletion.KEEP, open.at());
		world.model().add(open.another());
		List<Long> endedClaims = world.node(node).forget(List.of(open.job()));
		if (this.ending == Ending.COMMITS) {
			record(world, node, open.job(), endedClaims);
		}
	}

	private static void record(World world, Node node, ClaimedJob job, List<Long> endedClaims) {
		UUID worker = world.node(node).worker();
		List<Outcome> recorded = List.of(new CompletedInTransaction(job.id(), job.claim()));
		assertThat(world.jobs().recordOutcomes(worker, recorded, endedClaims, CompletionEffects.NONE).jobs())
			.containsExactly(job.id());
		world.model().end(worker, endedClaims);
	}

	@Override
	public String toString() {
		return "transaction number %d %s".formatted(this.choice, this.ending);
	}

	/**
	 * How a transaction ends.
	 */
	enum Ending {

		COMMITS, COMMITS_AND_FORGETS_TO_SAY_SO, ROLLS_BACK;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

}

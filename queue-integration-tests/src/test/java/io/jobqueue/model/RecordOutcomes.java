package io.jobqueue.model;

import java.time.Duration;
import java.util.List;

import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node records outcomes of jobs that it believes to have.
 */
record RecordOutcomes(int choice, Result result, int count, int delay) implements Operation {

	static RecordOutcomes any(Choices choices) {
		return new RecordOutcomes(choices.below(12), choices.of(List.of(Result.values())), 1 + choices.below(2),
				choices.of(0, 0, 0, 5, 30));
	}

	@Override
	public void happenIn(World world) {
		world.anyHolding((node) -> true, this.choice).ifPresent((holding) -> recordOutcomes(world, holding));
	}

	private void recordOutcomes(World world, Holding holding) {
		LiveNode live = world.node(holding.node());
		List<ClaimedJob> jobs = live.idleFrom(holding.job(), this.count);
		List<Outcome> outcomes = jobs.stream().map(this::outcome).toList();
		List<Long> endedClaims = live.forget(jobs);
		CompletionResult written = world.jobs()
			.recordOutcomes(live.worker(), outcomes, endedClaims, CompletionEffects.NONE);
		assertThat(written.jobs()).as("jobs that were recorded")
			.isEqualTo(world.model().recordOutcomes(live.worker(), outcomes, endedClaims));
	}

	private Outcome outcome(ClaimedJob job) {
		return this.result.outcome(job, Duration.ofMinutes(this.delay));
	}

	@Override
	public String toString() {
		return "who claimed number %d %s it, at most %d jobs; delay %d min".formatted(this.choice, this.result,
				this.count, this.delay);
	}

}

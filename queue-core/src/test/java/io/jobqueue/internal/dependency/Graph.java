package io.jobqueue.internal.dependency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.OnPredecessorFailure;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.Predecessors;

/**
 * Jobs, each of which waits for some of those before it, and a batch of some of them.
 *
 * @param seed the seed that it was made from
 * @param jobs the jobs, in the order in which they are enqueued
 * @param batch the batch
 * @param retention how long the archive keeps them
 * @param kills whether one in five steps after a commit is lost, and workers are killed
 */
record Graph(long seed, List<NewJob> jobs, MemberBatch batch, @Nullable Duration retention, boolean kills) {

	static final String QUEUE = "emails";

	private static final int MAX_JOBS = 30;

	static Graph of(long seed) {
		Random random = new Random(seed);
		int size = 1 + random.nextInt(MAX_JOBS);
		List<NewJob> jobs = new ArrayList<>();
		for (int index = 0; index < size; index++) {
			jobs.add(job(jobs, random));
		}
		Duration retention = switch (random.nextInt(3)) {
			case 0 -> Duration.ZERO;
			case 1 -> Duration.ofMillis(1);
			default -> null;
		};
		return new Graph(seed, List.copyOf(jobs), MemberBatch.of(jobs, random), retention, random.nextBoolean());
	}

	private static NewJob job(List<NewJob> before, Random random) {
		Set<UUID> predecessors = new LinkedHashSet<>();
		if (!before.isEmpty()) {
			int nearest = Math.max(0, before.size() - 8);
			random.ints(random.nextInt(4), nearest, before.size())
				.forEach((index) -> predecessors.add(before.get(index).id()));
		}
		OnPredecessorFailure[] policies = OnPredecessorFailure.values();
		return job(random, new Predecessors(predecessors, policies[random.nextInt(policies.length)]));
	}

	private static NewJob job(Random random, Predecessors predecessors) {
		return new NewJobBuilder().id(new UUID(random.nextLong(), random.nextLong()))
			.queue(QUEUE)
			.after(predecessors)
			.build();
	}

	@Override
	public String toString() {
		return "Graph[seed=%d, retention=%s, kills=%s, sealed=%d]".formatted(this.seed, this.retention, this.kills,
				this.batch.sealed())
				+ this.jobs.stream()
					.map((job) -> "\n%s after %s%s".formatted(job.id(), job.predecessors(),
							this.batch.members().contains(job.id()) ? " in the batch" : ""))
					.collect(Collectors.joining());
	}

	/**
	 * A batch of some jobs.
	 *
	 * @param id its id
	 * @param then its callback
	 * @param onFailure its callback for failures, {@code null} for none
	 * @param members the ids of the jobs that are its members once they are committed
	 * @param sealed the number of jobs that are enqueued before it is sealed
	 */
	record MemberBatch(UUID id, NewJob then, @Nullable NewJob onFailure, Set<UUID> members, int sealed) {

		static MemberBatch of(List<NewJob> jobs, Random random) {
			int sealed = random.nextInt(jobs.size() + 1);
			Set<UUID> members = new LinkedHashSet<>();
			jobs.subList(0, sealed)
				.stream()
				.filter((job) -> random.nextBoolean())
				.forEach((job) -> members.add(job.id()));
			return new MemberBatch(new UUID(random.nextLong(), random.nextLong()), job(random, Predecessors.NONE),
					random.nextBoolean() ? job(random, Predecessors.NONE) : null, members, sealed);
		}

		List<NewJob> callbacks() {
			return (this.onFailure != null) ? List.of(this.then, this.onFailure) : List.of(this.then);
		}

	}

}

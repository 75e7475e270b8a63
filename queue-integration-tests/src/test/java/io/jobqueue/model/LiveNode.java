package io.jobqueue.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.harness.ClaimRequestBuilder;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WorkerStore.Worker;

/**
 * A worker without threads: what a node remembers from start to start. It does not know
 * what was taken away from it.
 */
final class LiveNode {

	private static final Duration MAX_RUN_TIME = Minutes.runTime(15);

	private final Node node;

	private final List<ClaimedJob> held = new ArrayList<>();

	private final List<Long> unseen = new ArrayList<>();

	private int starts = 1;

	private long claims;

	private @Nullable OpenCompletion completion;

	LiveNode(Node node) {
		this.node = node;
	}

	UUID worker() {
		return Ids.worker(this.node, this.starts);
	}

	Worker introduction() {
		return new WorkerBuilder(worker()).name(Ids.worker(worker()))
			.queues(Draft.QUEUE)
			.timeout(ModelWorkers.TIMEOUT)
			.build();
	}

	ClaimRequest request(int free, int prefetch, ClusterLimits limits) {
		return new ClaimRequestBuilder(++this.claims).queue(Draft.QUEUE)
			.types(this.node.types())
			.onceTypes(this.node.onceTypes())
			.free(free)
			.prefetch(prefetch)
			.maxAttempts(this.node.maxAttempts())
			.maxRunTime(MAX_RUN_TIME)
			.keepDead(Minutes.duration(this.node.keepDead()))
			.positions(positions())
			.limits(limits)
			.build();
	}

	private static SortedMap<Tier, JobPosition> positions() {
		return new TreeMap<>(Draft.PRIORITIES.stream()
			.collect(Collectors.toMap((priority) -> new Tier(Draft.QUEUE, priority),
					(priority) -> JobPosition.at(Instant.EPOCH))));
	}

	void hold(Collection<ClaimedJob> jobs) {
		this.held.addAll(jobs);
	}

	void missed(long claim) {
		this.unseen.add(claim);
	}

	boolean hasMissedSomething() {
		return !this.unseen.isEmpty();
	}

	/**
	 * Return the claims whose result never arrived, and forget them.
	 */
	List<Long> takeUnseen() {
		List<Long> taken = List.copyOf(this.unseen);
		this.unseen.clear();
		return taken;
	}

	/**
	 * Return the jobs that it believes to have, but for one that is being completed.
	 */
	List<ClaimedJob> idle() {
		return this.held.stream().filter((job) -> !isBeingCompleted(job)).toList();
	}

	/**
	 * Return a job and some of those that it claimed later.
	 */
	List<ClaimedJob> idleFrom(ClaimedJob first, int count) {
		return idle().stream().dropWhile((job) -> !job.equals(first)).limit(count).toList();
	}

	private boolean isBeingCompleted(ClaimedJob job) {
		return this.completion != null && job.equals(this.completion.job());
	}

	/**
	 * Forget jobs.
	 * @return the claims that end with them
	 */
	List<Long> forget(List<ClaimedJob> jobs) {
		this.held.removeAll(new HashSet<>(jobs));
		return jobs.stream().map(ClaimedJob::claim).distinct().filter((claim) -> !isOpen(claim)).toList();
	}

	private boolean isOpen(long claim) {
		return this.held.stream().anyMatch((job) -> job.claim() == claim);
	}

	Optional<OpenCompletion> completion() {
		return Optional.ofNullable(this.completion);
	}

	void completing(@Nullable OpenCompletion open) {
		this.completion = open;
	}

	/**
	 * Start again, with another id.
	 */
	void restart() {
		this.starts++;
		this.claims = 0;
		this.held.clear();
		this.unseen.clear();
	}

}

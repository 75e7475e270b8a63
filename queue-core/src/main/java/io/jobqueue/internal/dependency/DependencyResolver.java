package io.jobqueue.internal.dependency;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.JobDied;
import io.jobqueue.internal.dependency.JobFollower.Followed;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.DependencyStore;
import io.jobqueue.internal.store.DependencyStore.Failure;
import io.jobqueue.internal.store.DependencyStore.Position;
import io.jobqueue.internal.store.DependencyStore.Release;
import io.jobqueue.internal.store.DependencyStore.Resolution;
import io.jobqueue.internal.store.DependencyStore.Sweep;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.EndedJob;

/**
 * Releases the jobs whose predecessors have finished, and ends those that fail with a
 * predecessor, in steps of {@value DependencyStore#MAX_RESOLVED} dependencies. Finishes
 * the batches whose members have all ended: a batch counts as the predecessor of its
 * callback.
 */
public final class DependencyResolver {

	private static final Logger logger = LoggerFactory.getLogger(DependencyResolver.class);

	private static final int SWEPT = 10_000;

	private static final int SWEPT_BATCHES = 1_000;

	private final DependencyStore store;

	private final JobFollower follower;

	private final JobSignals signals;

	private final JobEvents events;

	private final Function<String, @Nullable Duration> retention;

	private final Consumer<EndedJob> counter;

	private @Nullable Position lastSwept;

	private @Nullable UUID lastBatch;

	/**
	 * Create a resolver.
	 * @param store releases and ends jobs
	 * @param follower does what follows the ends of jobs besides
	 * @param signals publishes wake-ups for the released jobs
	 * @param events publishes the deaths of jobs
	 * @param retention returns how long the archive keeps the dead jobs of a queue,
	 * {@code null} for no limit, zero to delete them
	 * @param counter counts the dead jobs
	 */
	public DependencyResolver(DependencyStore store, JobFollower follower, JobSignals signals, JobEvents events,
			Function<String, @Nullable Duration> retention, Consumer<EndedJob> counter) {
		this.store = store;
		this.follower = follower;
		this.signals = signals;
		this.events = events;
		this.retention = retention;
		this.counter = counter;
	}

	/**
	 * Resolve the dependencies on predecessors that have finished or are to be marked,
	 * and on the jobs that fail with them.
	 * @param work what to resolve; if this throws, what is left of it, including what
	 * other transactions have locked
	 * @return what other transactions have locked
	 */
	PendingDependencies resolve(PendingDependencies work) {
		PendingDependencies locked = new PendingDependencies();
		try {
			release(work, locked);
			while (!work.predecessors().isEmpty()) {
				step(portion(work.predecessors()), work, locked);
			}
			return locked;
		}
		catch (RuntimeException | Error ex) {
			work.addAll(locked);
			throw ex;
		}
	}

	private static Set<UUID> portion(Set<UUID> predecessors) {
		return predecessors.stream()
			.limit(DependencyStore.MAX_RESOLVED)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private void step(Set<UUID> predecessors, PendingDependencies work, PendingDependencies locked) {
		Followed followed = this.follower.follow(predecessors);
		locked.predecessors().addAll(followed.again());
		work.predecessors().removeAll(followed.settled());
		predecessors.removeAll(followed.settled());
		if (!predecessors.isEmpty()) {
			resolve(predecessors, work, locked);
		}
	}

	/**
	 * Notes what is left before anything is published, as that may throw.
	 */
	private void resolve(Set<UUID> predecessors, PendingDependencies work, PendingDependencies locked) {
		Resolution resolution = this.store.resolve(predecessors);
		locked.predecessors().addAll(resolution.locked());
		work.jobs().addAll(resolution.satisfied());
		this.signals.publish(resolution.available());
		release(work, locked);
		Failure failure = fail(resolution.failing());
		boolean allEnded = failure.ended().size() == resolution.failing().size();
		if (!allEnded) {
			locked.predecessors().addAll(predecessors);
		}
		if (!allEnded || !resolution.more()) {
			work.predecessors().removeAll(predecessors);
		}
		work.predecessors().addAll(EndedJob.predecessors(failure.ended()));
		publish(failure);
	}

	private void release(PendingDependencies work, PendingDependencies locked) {
		if (!work.jobs().isEmpty()) {
			Release release = this.store.release(work.jobs());
			publish(release.due());
			this.signals.publish(release.available());
			locked.jobs().addAll(release.locked());
			work.jobs().clear();
		}
	}

	/**
	 * An idle handler of this JVM claims a single job by its id.
	 */
	private void publish(List<DueJob> due) {
		if (due.size() == 1) {
			this.signals.publish(due.get(0));
		}
		else {
			this.signals.publish(due.stream().map(DueJob::wakeUp).toList());
		}
	}

	private Failure fail(Map<UUID, String> jobs) {
		if (jobs.isEmpty()) {
			return new Failure(List.of(), List.of());
		}
		Map<UUID, @Nullable Duration> retentions = new HashMap<>();
		jobs.forEach((job, queue) -> retentions.put(job, this.retention.apply(queue)));
		return this.store.fail(retentions);
	}

	private void publish(Failure failure) {
		failure.ended().forEach(DependencyResolver::log);
		failure.ended().forEach(this.counter);
		this.events.publish(failure.ended().stream().map((job) -> new JobDied(JobInfos.of(job), null)).toList());
		this.signals.publish(failure.available());
	}

	private static void log(EndedJob job) {
		JobMdc.within(job,
				() -> JobLogStep.DEAD.line(logger, Level.ERROR).log("{} is dead: a predecessor failed", job));
	}

	/**
	 * Resolve what no other call has resolved: the next {@value #SWEPT} of all
	 * dependencies, and the next {@value #SWEPT_BATCHES} sealed batches. What is locked
	 * or fails is left to a later sweep, so that it does not keep this one from the
	 * others.
	 */
	public synchronized void sweep() {
		Sweep sweep = this.store.sweep(this.lastSwept, SWEPT);
		this.lastSwept = sweep.last();
		PendingDependencies work = new PendingDependencies();
		work.predecessors().addAll(sweep.predecessors());
		work.predecessors().addAll(nextBatches());
		work.jobs().addAll(sweep.jobs());
		PendingDependencies unused = resolve(work);
		this.follower.sweep();
	}

	private List<UUID> nextBatches() {
		List<UUID> batches = this.store.sealedBatches(this.lastBatch, SWEPT_BATCHES);
		this.lastBatch = (batches.size() == SWEPT_BATCHES) ? batches.get(SWEPT_BATCHES - 1) : null;
		return batches;
	}

}

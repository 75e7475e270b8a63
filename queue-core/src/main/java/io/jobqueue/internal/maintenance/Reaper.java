package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.JobCancelled;
import io.jobqueue.JobDied;
import io.jobqueue.JobEvent;
import io.jobqueue.JobState;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.FollowUpPass;
import io.jobqueue.internal.store.MaintenanceStore.LostJob;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPass;
import io.jobqueue.internal.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.WakeUp.SlotFreed;

/**
 * Reaps jobs whose worker sends no heartbeat or exceeds the maximum run time. The attempt
 * counts as failed: the job is ready again at once or, after its last attempt, dead. Also
 * cancels unclaimed jobs that have expired or have a cancel request, and releases jobs
 * that wait for jobs that have ended, or for a key that is free.
 */
public final class Reaper {

	private static final Logger logger = LoggerFactory.getLogger("io.jobqueue.reaper");

	private static final int FOLLOW_UPS = 10_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private final Consumer<ReapedJobs> counter;

	private final JobEvents events;

	private final KeySweep keys;

	private final CancelSweep cancels;

	private final DependencyResolver dependencies;

	private @Nullable UUID lastFollowed;

	/**
	 * Create a reaper.
	 * @param store reaps and releases jobs
	 * @param signals publishes wake-ups
	 * @param counter counts the reaped jobs
	 * @param events publishes deaths and cancellations
	 * @param dependencies resolves dependencies on jobs
	 * @param retention returns how long the archive keeps the cancelled jobs of a queue,
	 * {@code null} for no limit, zero to delete them
	 */
	public Reaper(MaintenanceStore store, JobSignals signals, Consumer<ReapedJobs> counter, JobEvents events,
			DependencyResolver dependencies, Function<String, @Nullable Duration> retention) {
		this.store = store;
		this.signals = signals;
		this.counter = counter;
		this.events = events;
		this.keys = new KeySweep(store, signals);
		this.cancels = new CancelSweep(store, signals, events, retention);
		this.dependencies = dependencies;
	}

	/**
	 * Run once.
	 * @return the reaped jobs
	 */
	public List<ReapedJobs> runOnce() {
		List<ReapedJobs> all = new ArrayList<>();
		boolean anyRemoved = false;
		ReaperPass pass;
		ReaperPosition last = null;
		do {
			pass = this.store.reap(last);
			last = pass.last();
			all.addAll(pass.taken());
			anyRemoved |= !pass.removedWorkers().isEmpty();
			report(pass);
		}
		while (last != null || !pass.taken().isEmpty() || !pass.ended().isEmpty());
		releaseWaiting(pass, anyRemoved);
		if (pass.cancellable()) {
			cancelUnclaimed();
		}
		return all;
	}

	/**
	 * Cancel the unclaimed jobs that have expired or have a cancel request.
	 */
	public void cancelUnclaimed() {
		this.cancels.run();
	}

	private void report(ReaperPass pass) {
		pass.taken().forEach(this::report);
		pass.lost().forEach(Reaper::log);
		pass.ended().stream().filter(Reaper::isCancelled).forEach(Reaper::log);
		pass.removedWorkers()
			.forEach((name) -> logger.warn("Removed worker {}, which sent no heartbeat within its timeout", name));
		this.events.publish(pass.ended().stream().map(Reaper::event).toList());
		this.signals.publish(pass.reconsidered());
		this.signals.publishPredecessors(EndedJob.predecessors(pass.ended()));
	}

	static void log(EndedJob cancelled) {
		String reason = cancelled.expired() ? ": it has expired before it began" : "";
		JobMdc.within(cancelled,
				() -> JobLogStep.CANCELLED.line(logger, Level.INFO).log("{} is cancelled{}", cancelled, reason));
	}

	private static JobEvent event(EndedJob job) {
		return isCancelled(job) ? new JobCancelled(JobInfos.of(job)) : new JobDied(JobInfos.of(job), null);
	}

	private static boolean isCancelled(EndedJob job) {
		return job.state() == JobState.CANCELLED;
	}

	/**
	 * Release jobs that wait for others, for keys or for predecessors, if there are any.
	 * A worker that was removed may have completed jobs without releasing their keys, so
	 * that all keys are swept; otherwise a part of them.
	 */
	private void releaseWaiting(ReaperPass pass, boolean anyRemoved) {
		if (pass.waiting()) {
			releaseFollowUps();
			this.signals.publish(this.store.releaseRetries());
		}
		if (pass.keyed()) {
			this.keys.run(anyRemoved);
		}
		if (pass.dependent()) {
			this.dependencies.sweep();
		}
	}

	/**
	 * Most are released with the end of the job that they wait for. For those that were
	 * missed, each run checks the next {@value #FOLLOW_UPS} of all waiting jobs.
	 */
	private void releaseFollowUps() {
		FollowUpPass pass = this.store.releaseFollowUps(this.lastFollowed, FOLLOW_UPS);
		this.lastFollowed = pass.last();
		this.signals.publish(pass.released());
	}

	/**
	 * Single jobs are logged at DEBUG, and at higher levels the more often they fail: a
	 * job that ends its workers can be identified.
	 */
	private static void log(LostJob job) {
		Level level = job.dead() ? Level.ERROR : JobLogStep.levelOf(job.failures(), Level.DEBUG);
		if (logger.isEnabledForLevel(level)) {
			JobMdc.within(job,
					() -> JobLogStep.REAPED.line(logger, level)
						.log("Reaped {} from worker {}, now {}; failed attempts: {}", job, job.worker(),
								endText(job.ended()), job.failures()));
		}
	}

	private static String endText(@Nullable JobState ended) {
		return (ended != null) ? ended.name().toLowerCase(Locale.ROOT) : "ready again";
	}

	private void report(ReapedJobs jobs) {
		logger.atWarn()
			.addKeyValue("job.queue", jobs.tier().queue())
			.addKeyValue("job.type", jobs.type())
			.addKeyValue("job.worker", jobs.worker())
			.log("Reaped {} of type '{}' in queue {} from worker {}, now {}", LogText.counted(jobs.count(), "job"),
					jobs.type(), jobs.tier().queue(), jobs.worker(), endText(jobs.ended()));
		this.counter.accept(jobs);
		this.signals.publish(wakeUps(jobs));
	}

	/**
	 * Jobs of any priority may have been waiting for their slots.
	 */
	private static List<WakeUp> wakeUps(ReapedJobs jobs) {
		SlotFreed slot = new SlotFreed(jobs.tier().queue());
		return (jobs.ended() != null) ? List.of(slot)
				: List.of(new JobsAvailable(jobs.tier(), jobs.position(), Duration.ZERO), slot);
	}

}

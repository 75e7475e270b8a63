package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.JobCancelled;
import io.jobqueue.JobDied;
import io.jobqueue.JobEvent;
import io.jobqueue.JobState;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.logging.FailureLevel;
import io.jobqueue.logging.JobLogStep;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.logging.LogText;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.MaintenanceStore.FollowUpPass;
import io.jobqueue.store.MaintenanceStore.LostJob;
import io.jobqueue.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.store.MaintenanceStore.ReaperPass;
import io.jobqueue.store.MaintenanceStore.ReaperPosition;
import io.jobqueue.store.WakeUp;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.WakeUp.SlotFreed;

/**
 * Takes jobs away from workers that went silent or did not finish within the maximum run
 * time. The attempt counts as failed: the job is ready again at once or, if it was its
 * last, dead. Lets jobs run that wait for one that is gone, or for a key that nobody has.
 */
public final class Reaper {

	private static final Logger logger = LoggerFactory.getLogger(Reaper.class);

	private static final int FOLLOW_UPS = 10_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private final Consumer<ReapedJobs> counter;

	private final JobEvents events;

	private final KeySweep keys;

	private @Nullable UUID lastFollowed;

	/**
	 * Create a reaper.
	 * @param store where jobs are taken away
	 * @param signals where ready jobs are told
	 * @param counter what counts the jobs
	 * @param events where deaths are told
	 */
	public Reaper(MaintenanceStore store, JobSignals signals, Consumer<ReapedJobs> counter, JobEvents events) {
		this.store = store;
		this.signals = signals;
		this.counter = counter;
		this.events = events;
		this.keys = new KeySweep(store, signals);
	}

	/**
	 * Do it once.
	 * @return what was taken away
	 */
	public List<ReapedJobs> runOnce() {
		List<ReapedJobs> all = new ArrayList<>();
		boolean anyForgotten = false;
		ReaperPass pass;
		ReaperPosition last = null;
		do {
			pass = this.store.reap(last);
			last = pass.last();
			all.addAll(pass.taken());
			anyForgotten |= !pass.forgotten().isEmpty();
			tell(pass);
		}
		while (last != null || !pass.taken().isEmpty() || !pass.ended().isEmpty());
		lookAfter(pass, anyForgotten);
		return all;
	}

	private void tell(ReaperPass pass) {
		pass.taken().forEach(this::report);
		pass.lost().forEach(Reaper::tell);
		pass.ended().stream().filter(Reaper::isCancelled).forEach(Reaper::tell);
		pass.forgotten()
			.forEach((name) -> logger.warn("Removed worker {}, which sent no heartbeat within its timeout", name));
		this.events.publish(pass.ended().stream().map(Reaper::event).toList());
		this.signals.publish(pass.reconsidered());
	}

	private static void tell(EndedJob cancelled) {
		JobMdc.within(cancelled, () -> JobLogStep.CANCELLED.line(logger, Level.INFO).log("{} is cancelled", cancelled));
	}

	private static JobEvent event(EndedJob job) {
		return isCancelled(job) ? new JobCancelled(JobInfos.of(job)) : new JobDied(JobInfos.of(job), null);
	}

	private static boolean isCancelled(EndedJob job) {
		return job.state() == JobState.CANCELLED;
	}

	/**
	 * Look after jobs that wait for others, where there are any.
	 */
	private void lookAfter(ReaperPass pass, boolean anyForgotten) {
		if (pass.waiting()) {
			releaseFollowUps();
			this.signals.publish(this.store.letRetriesOut());
		}
		if (pass.keyed()) {
			sweepKeys(anyForgotten);
		}
	}

	/**
	 * A worker that went silent may have completed jobs without handing over their keys.
	 */
	private void sweepKeys(boolean all) {
		if (all) {
			this.keys.run();
		}
		else {
			this.keys.step();
		}
	}

	/**
	 * Most are released with the end of the job that they wait for. For those that were
	 * missed, some of all that wait are looked at each time.
	 */
	private void releaseFollowUps() {
		FollowUpPass pass = this.store.releaseFollowUps(this.lastFollowed, FOLLOW_UPS);
		this.lastFollowed = pass.last();
		this.signals.publish(pass.released());
	}

	/**
	 * A job that loses one worker after the other must be known by its name.
	 */
	private static void tell(LostJob job) {
		Level level = job.dead() ? Level.ERROR : FailureLevel.of(job.failures(), Level.DEBUG);
		if (logger.isEnabledForLevel(level)) {
			JobMdc.within(job,
					() -> JobLogStep.REAPED.line(logger, level)
						.log("Reaped {} from worker {}, now {}; failed attempts: {}", job, job.worker(),
								fate(job.ended()), job.failures()));
		}
	}

	private static String fate(@Nullable JobState ended) {
		return (ended != null) ? ended.name().toLowerCase(Locale.ROOT) : "ready again";
	}

	private void report(ReapedJobs jobs) {
		logger.atWarn()
			.addKeyValue("job.queue", jobs.tier().queue())
			.addKeyValue("job.type", jobs.type())
			.addKeyValue("job.worker", jobs.worker())
			.log("Reaped {} of type '{}' in queue {} from worker {}, now {}", LogText.counted(jobs.count(), "job"),
					jobs.type(), jobs.tier().queue(), jobs.worker(), fate(jobs.ended()));
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

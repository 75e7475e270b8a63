package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.JobEnqueued;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.logging.JobLogStep;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.Tick;
import io.jobqueue.internal.store.RecurringStore.TickResult;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Creates the jobs of ticks, writes them, and publishes their wake-ups and events.
 */
public final class TickWriter {

	private static final Logger logger = LoggerFactory.getLogger(TickWriter.class);

	private final RecurringStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final Supplier<UUID> ids;

	private final ToIntFunction<String> priorities;

	/**
	 * Create a writer.
	 * @param store the store of schedules
	 * @param signals publishes wake-ups
	 * @param events publishes application events
	 * @param ids creates the ids of jobs
	 * @param priorities returns the default priority of a queue
	 */
	public TickWriter(RecurringStore store, JobSignals signals, JobEvents events, Supplier<UUID> ids,
			ToIntFunction<String> priorities) {
		this.store = store;
		this.signals = signals;
		this.events = events;
		this.ids = ids;
		this.priorities = priorities;
	}

	/**
	 * Return the job of a tick.
	 */
	TickedJob job(DueSchedule schedule, Instant tick, Instant runAt) {
		int priority = (schedule.priority() != null) ? schedule.priority()
				: this.priorities.applyAsInt(schedule.queue());
		return new TickedJob(this.ids.get(), tick, runAt, Headers.withScheduledAt(schedule.headers(), tick), priority);
	}

	/**
	 * Write the ticks of schedules.
	 * @param ticks the ticks by their schedules
	 * @return the schedules that were ticked
	 */
	TickResult write(Map<DueSchedule, Tick> ticks) {
		return write(ticks, null);
	}

	/**
	 * Write ticks that an operator has triggered, like {@link #write(Map)}.
	 * @param operation the operation for the operator log
	 */
	TickResult write(Map<DueSchedule, Tick> ticks, @Nullable LoggedOperation operation) {
		TickResult result = this.store.tick(ticks.values(), operation);
		List<WrittenJob> written = new ArrayList<>();
		ticks.forEach((schedule, tick) -> {
			if (result.names().contains(tick.name())) {
				tick.jobs().forEach((job) -> written.add(new WrittenJob(schedule, job, result.at())));
			}
		});
		written.forEach(WrittenJob::log);
		publish(written);
		return result;
	}

	/**
	 * A job that comes alone may be claimed by an idle handler of this JVM.
	 */
	private void publish(List<WrittenJob> written) {
		if (written.size() == 1 && written.get(0).available().dueIn().isZero()) {
			this.signals.publish(written.get(0).due());
		}
		else {
			this.signals.publish(available(written));
		}
		if (this.events.areWanted(JobEnqueued.class)) {
			this.events.publish(written.stream().map(WrittenJob::event).toList());
		}
	}

	private static Collection<JobsAvailable> available(List<WrittenJob> written) {
		Map<Tier, JobsAvailable> available = new TreeMap<>();
		written.stream()
			.map(WrittenJob::available)
			.forEach((each) -> available.merge(each.tier(), each, JobsAvailable::and));
		return available.values();
	}

	/**
	 * A job that a tick has enqueued.
	 *
	 * @param schedule its schedule
	 * @param job the job
	 * @param at the time of the tick's statement
	 */
	private record WrittenJob(DueSchedule schedule, TickedJob job, Instant at) {

		void log() {
			JobMdc.within(this.job.id(), this.schedule.queue(), this.schedule.type(),
					() -> JobLogStep.ENQUEUED.line(logger, Level.DEBUG)
						.log("Job[{}, queue={}, type={}] is enqueued by the schedule {} for its tick at {}",
								this.job.id(), this.schedule.queue(), this.schedule.type(), this.schedule.name(),
								this.job.scheduledAt()));
		}

		JobsAvailable available() {
			Instant runAt = runAt();
			return new JobsAvailable(new Tier(this.schedule.queue(), this.job.priority()), JobPosition.at(runAt),
					Duration.between(this.at, runAt));
		}

		private Instant runAt() {
			return this.job.runAt().isAfter(this.at) ? this.job.runAt() : this.at;
		}

		DueJob due() {
			return new DueJob(this.job.id(), this.schedule.type(), available());
		}

		JobEnqueued event() {
			return new JobEnqueued(JobInfos.of(this.schedule, this.job, this.at));
		}

	}

}

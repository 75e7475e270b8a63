package io.jobqueue.boot.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobState;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobs;

/**
 * The paths of schedules: lists, shows, triggers, pauses, resumes and deletes them.
 */
final class RecurringResource {

	private final RecurringJobs schedules;

	RecurringResource(RecurringJobs schedules) {
		this.schedules = schedules;
	}

	Object list(RequestParameters parameters) {
		parameters.requireOnly("namePrefix", "after", "limit");
		RecurringJobQuery query = RecurringJobQuery.all();
		String prefix = parameters.text("namePrefix");
		query = (prefix != null) ? query.namePrefix(prefix) : query;
		String after = parameters.text("after");
		query = (after != null) ? query.after(after) : query;
		Integer limit = parameters.value("limit", ParameterType.LIMIT);
		return SchedulePageDescriptor.of(this.schedules.list((limit != null) ? query.limit(limit) : query));
	}

	Object show(String name, RequestParameters parameters) {
		parameters.requireOnly();
		return this.schedules.find(name).<Object>map(ScheduleDescriptor::of).orElseGet(() -> unknown(name));
	}

	Object run(String operation, String name, RequestParameters parameters) {
		parameters.requireOnly();
		return switch (operation) {
			case "trigger" -> new ScheduleOperationDescriptor(operation, name, this.schedules.trigger(name).id());
			case "pause" -> done(operation, name, this.schedules::pause);
			case "resume" -> done(operation, name, this.schedules::resume);
			case "delete" ->
				this.schedules.delete(name) ? new ScheduleOperationDescriptor(operation, name, null) : unknown(name);
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a schedule: use one of trigger, pause, resume, delete"
						.formatted(operation));
		};
	}

	private static Object done(String operation, String name, Consumer<String> change) {
		change.accept(name);
		return new ScheduleOperationDescriptor(operation, name, null);
	}

	private static Object unknown(String name) {
		return ErrorResponses.unknown("There is no schedule '%s'".formatted(name));
	}

	/**
	 * A page of schedules.
	 *
	 * @param schedules the schedules
	 * @param next the start of the next page, {@code null} if there is none
	 */
	record SchedulePageDescriptor(List<ScheduleDescriptor> schedules,
			@Nullable String next) implements OperationResponseBody {

		static SchedulePageDescriptor of(RecurringJobPage page) {
			return new SchedulePageDescriptor(page.jobs().stream().map(ScheduleDescriptor::of).toList(), page.next());
		}

	}

	/**
	 * A schedule, as {@link RecurringJobInfo} has it.
	 *
	 * @param name its name
	 * @param queue the queue of its jobs
	 * @param type the type of its jobs
	 * @param cron the cron expression
	 * @param fixedRate the time from one tick to the next
	 * @param zone the zone of the cron expression
	 * @param misfire which jobs are enqueued for missed ticks
	 * @param overlap what a tick does while the job of an earlier tick is live
	 * @param jitter the longest random delay of each job
	 * @param declared whether an annotation or a setting declares it
	 * @param pausedAt the time since which it is paused
	 * @param nextAt the time of the next tick
	 * @param lastAt the time of the last tick that enqueued a job
	 * @param lastJob the id of the last job
	 * @param lastState the state of the last job
	 * @param skipped the number of skipped ticks
	 * @param missed the number of missed ticks
	 */
	record ScheduleDescriptor(String name, String queue, String type, @Nullable String cron,
			@Nullable Duration fixedRate, @Nullable ZoneId zone, @Nullable Misfire misfire, @Nullable Overlap overlap,
			Duration jitter, boolean declared, @Nullable Instant pausedAt, @Nullable Instant nextAt,
			@Nullable Instant lastAt, @Nullable UUID lastJob, @Nullable JobState lastState, long skipped,
			long missed) implements OperationResponseBody {

		static ScheduleDescriptor of(RecurringJobInfo info) {
			return new ScheduleDescriptor(info.name(), info.queue(), info.type(), info.cron(), info.fixedRate(),
					info.zone(), info.misfire(), info.overlap(), info.jitter(), info.declared(), info.pausedAt(),
					info.nextAt(), info.lastAt(), info.lastJob(), info.lastState(), info.skipped(), info.missed());
		}

	}

	/**
	 * Result of an operation on a schedule.
	 *
	 * @param operation the operation
	 * @param schedule the name of the schedule
	 * @param job the id of the job that was triggered
	 */
	record ScheduleOperationDescriptor(String operation, String schedule,
			@Nullable UUID job) implements OperationResponseBody {
	}

}

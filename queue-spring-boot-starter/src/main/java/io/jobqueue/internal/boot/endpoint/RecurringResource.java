package io.jobqueue.internal.boot.endpoint;

import java.util.function.Consumer;

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
		RecurringJobQuery query = QueryParameters.with(RecurringJobQuery.all(), parameters.text("namePrefix"),
				RecurringJobQuery::namePrefix);
		query = QueryParameters.with(query, parameters.text("after"), RecurringJobQuery::after);
		query = QueryParameters.with(query, parameters.value("limit", ParameterType.LIMIT), RecurringJobQuery::limit);
		RecurringJobPage page = this.schedules.list(query);
		return ResponseBody.of("schedules", page.jobs().stream().map(RecurringResource::describe).toList())
			.with("next", page.next());
	}

	Object show(String name, RequestParameters parameters) {
		parameters.requireOnly();
		return this.schedules.find(name).<Object>map(RecurringResource::describe).orElseGet(() -> unknown(name));
	}

	Object run(String operation, String name, RequestParameters parameters) {
		parameters.requireOnly();
		return switch (operation) {
			case "trigger" -> done(operation, name).with("job", this.schedules.trigger(name).id());
			case "pause" -> done(operation, name, this.schedules::pause);
			case "resume" -> done(operation, name, this.schedules::resume);
			case "delete" -> this.schedules.delete(name) ? done(operation, name) : unknown(name);
			default -> throw new IllegalArgumentException(
					"Unknown operation '%s' of a schedule: use one of trigger, pause, resume, delete"
						.formatted(operation));
		};
	}

	private static ResponseBody done(String operation, String name, Consumer<String> change) {
		change.accept(name);
		return done(operation, name);
	}

	private static ResponseBody done(String operation, String name) {
		return ResponseBody.of("operation", operation).with("schedule", name);
	}

	private static Object unknown(String name) {
		return ErrorResponses.unknown("There is no schedule '%s'".formatted(name));
	}

	/**
	 * Return the fields of {@link RecurringJobInfo}.
	 */
	private static ResponseBody describe(RecurringJobInfo schedule) {
		return ResponseBody.of("name", schedule.name())
			.with("queue", schedule.queue())
			.with("type", schedule.type())
			.with("cron", schedule.cron())
			.with("fixedRate", schedule.fixedRate())
			.with("zone", schedule.zone())
			.with("misfire", schedule.misfire())
			.with("overlap", schedule.overlap())
			.with("jitter", schedule.jitter())
			.with("declared", schedule.declared())
			.with("pausedAt", schedule.pausedAt())
			.with("nextAt", schedule.nextAt())
			.with("lastAt", schedule.lastAt())
			.with("lastJob", schedule.lastJob())
			.with("lastState", schedule.lastState())
			.with("skipped", schedule.skipped())
			.with("missed", schedule.missed());
	}

}

package io.jobqueue.internal.dashboard.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.jobqueue.RecurringJobInfo;
import io.jobqueue.internal.dashboard.view.UrlQuery;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.recurring.NextTicks;

/**
 * A schedule as a page shows it.
 *
 * @param info the stored schedule
 * @param times its timing in words, empty if there are none
 * @param expression its cron expression, empty if it has a fixed rate
 * @param next its next ticks
 * @param overdue whether its next tick should have been a while ago
 * @param declaredHere whether this application declares it
 */
public record Schedule(RecurringJobInfo info, String times, String expression, List<Instant> next, boolean overdue,
		boolean declaredHere) {

	private static final int TICKS = 3;

	/**
	 * Clocks differ, and a tick takes its time.
	 */
	private static final Duration TOLERANCE = Duration.ofMinutes(1);

	static Schedule of(RecurringJobInfo info, boolean declaredHere) {
		String cron = (info.cron() != null) ? info.cron() : "";
		String times = (info.fixedRate() != null) ? "every " + DurationText.of(info.fixedRate())
				: CronWords.of(cron).orElse("");
		return new Schedule(info, times, cron, NextTicks.of(info, TICKS),
				info.nextAt() != null && info.nextAt().isBefore(Instant.now().minus(TOLERANCE)), declaredHere);
	}

	/**
	 * Return whether its declaration is gone: workers that declare it would have had its
	 * tick.
	 * @return whether it is declared, but by no living worker
	 */
	public boolean abandoned() {
		return this.info.declared() && this.overdue && !this.declaredHere;
	}

	/**
	 * Return the path of an action. A name may contain slashes, which servers refuse in
	 * paths.
	 * @param action its name
	 * @return the path below that of the dashboard, with the name of the schedule
	 */
	public String path(String action) {
		return "/recurring/" + action + "?" + UrlQuery.of("name", this.info.name());
	}

}

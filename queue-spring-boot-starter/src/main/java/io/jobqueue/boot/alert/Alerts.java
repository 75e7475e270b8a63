package io.jobqueue.boot.alert;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.PriorityClass;

/**
 * The thresholds that are crossed, as this node finds them.
 */
public final class Alerts {

	/**
	 * What is older than so many intervals is not known any more.
	 */
	private static final int PATIENCE = 3;

	private final AlertMeasurement look;

	private final Clock clock;

	private final Duration interval;

	private final int looks;

	private final Consumer<Collection<JobAlertEvent>> listener;

	private final Map<AlertSubject, AlertState> watched = new LinkedHashMap<>();

	private volatile List<JobAlert> current = List.of();

	private volatile AlertLevels levels;

	private volatile Instant lookedAt = Instant.MIN;

	/**
	 * Create alerts.
	 * @param look what measures
	 * @param clock the application's clock
	 * @param interval how often it looks
	 * @param looks after how many looks in a row an alert is raised or has recovered
	 * @param listener is called with the events
	 */
	public Alerts(AlertMeasurement look, Clock clock, Duration interval, int looks,
			Consumer<Collection<JobAlertEvent>> listener) {
		this.look = look;
		this.clock = clock;
		this.interval = interval;
		this.looks = looks;
		this.listener = listener;
		this.levels = look.unknown();
	}

	Duration interval() {
		return this.interval;
	}

	/**
	 * AlertMeasurement, and tell what has changed.
	 */
	public synchronized void runOnce() {
		AlertLevels measured = this.look.take();
		Instant now = this.clock.instant();
		measured.crossed()
			.forEach((subject) -> this.watched.computeIfAbsent(subject,
					(crossed) -> new AlertState(crossed, measured, now)));
		List<JobAlertEvent> changes = changes(measured);
		this.watched.values().removeIf(AlertState::isOver);
		this.current = this.watched.values().stream().filter(AlertState::isRaised).map(AlertState::alert).toList();
		this.levels = measured;
		this.lookedAt = now;
		tell(changes);
	}

	private List<JobAlertEvent> changes(AlertLevels measured) {
		return this.watched.values()
			.stream()
			.map((each) -> each.look(measured, this.looks))
			.filter(Objects::nonNull)
			.toList();
	}

	private void tell(List<JobAlertEvent> changes) {
		if (!changes.isEmpty()) {
			AlertLog.log(changes);
			this.listener.accept(changes);
		}
	}

	/**
	 * Return the alerts that were raised and have not recovered, with what was measured
	 * last. This asks no database.
	 * @return the alerts in the order in which they were crossed
	 */
	public List<JobAlert> current() {
		return this.current;
	}

	/**
	 * Return how far queues are toward an alert: the highest value / threshold * 100 of
	 * what was measured, 0 where nothing was. This asks no database.
	 * @param queues which queues are meant
	 * @param priority the priority class
	 * @return 100 or more if a threshold is crossed, NaN if that is not known
	 */
	public double percent(Predicate<String> queues, PriorityClass priority) {
		return isRecent(this.lookedAt) ? this.levels.percent(queues, priority) : Double.NaN;
	}

	/**
	 * A measurement in the future means that the clock was put back since.
	 */
	private boolean isRecent(Instant time) {
		Instant now = this.clock.instant();
		return !time.isAfter(now) && !time.isBefore(now.minus(this.interval.multipliedBy(PATIENCE)));
	}

}

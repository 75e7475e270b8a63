package io.jobqueue.internal.boot.alert;

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
 * The alerts of this node. A measurement updates them; reading them asks no database.
 */
public final class Alerts {

	/**
	 * Number of intervals after which a measurement is outdated.
	 */
	private static final int KNOWN_INTERVALS = 3;

	private final AlertMeasurement measurement;

	private final Predicate<String> queues;

	private final Clock clock;

	private final Duration interval;

	private final int required;

	private final Consumer<Collection<JobAlertEvent>> listener;

	private final Map<AlertSubject, AlertState> states = new LinkedHashMap<>();

	private volatile List<JobAlert> current = List.of();

	private volatile AlertLevels levels;

	private volatile Instant measuredAt = Instant.MIN;

	/**
	 * Create alerts.
	 * @param measurement measures the values
	 * @param queues matches the names of the queues whose alerts are raised
	 * @param clock the application's clock
	 * @param interval the time between two measurements
	 * @param required the number of measurements in a row after which an alert is raised
	 * or has recovered
	 * @param listener is called with the events
	 */
	public Alerts(AlertMeasurement measurement, Predicate<String> queues, Clock clock, Duration interval, int required,
			Consumer<Collection<JobAlertEvent>> listener) {
		this.measurement = measurement;
		this.queues = queues;
		this.clock = clock;
		this.interval = interval;
		this.required = required;
		this.listener = listener;
		this.levels = measurement.unknown();
	}

	Duration interval() {
		return this.interval;
	}

	/**
	 * Measure, log the changes and pass them to the listener.
	 */
	public synchronized void runOnce() {
		AlertLevels measured = this.measurement.measure();
		Instant now = this.clock.instant();
		measured.crossed()
			.stream()
			.filter((subject) -> this.queues.test(subject.queue()))
			.forEach((subject) -> this.states.computeIfAbsent(subject,
					(crossed) -> new AlertState(crossed, measured, now)));
		List<JobAlertEvent> changes = changes(measured);
		this.states.values().removeIf(AlertState::isOver);
		this.current = this.states.values().stream().filter(AlertState::isRaised).map(AlertState::alert).toList();
		this.levels = measured;
		this.measuredAt = now;
		publish(changes);
	}

	private List<JobAlertEvent> changes(AlertLevels measured) {
		return this.states.values()
			.stream()
			.map((state) -> state.update(measured, this.required))
			.filter(Objects::nonNull)
			.toList();
	}

	private void publish(List<JobAlertEvent> changes) {
		if (!changes.isEmpty()) {
			AlertLog.log(changes);
			this.listener.accept(changes);
		}
	}

	/**
	 * Return the alerts that were raised and have not recovered, with the values of the
	 * last measurement.
	 * @return the alerts in the order in which their thresholds were crossed
	 */
	public List<JobAlert> current() {
		return this.current;
	}

	/**
	 * Return the highest value of queues as a percentage of its threshold, 0 without a
	 * value.
	 * @param queues matches the names of the queues
	 * @param priority the priority class
	 * @return 100 or more if a threshold is crossed, NaN if that is not known
	 */
	public double percent(Predicate<String> queues, PriorityClass priority) {
		return isRecent(this.measuredAt) ? this.levels.percent(queues, priority) : Double.NaN;
	}

	/**
	 * A measurement in the future means that the clock has been set back since.
	 */
	private boolean isRecent(Instant time) {
		Instant now = this.clock.instant();
		return !time.isAfter(now) && !time.isBefore(now.minus(this.interval.multipliedBy(KNOWN_INTERVALS)));
	}

}

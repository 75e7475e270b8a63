package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.alert.Thresholds;
import io.jobqueue.boot.reading.Seconds;

/**
 * Reads thresholds from settings, checked.
 */
final class ConfiguredAlerts {

	private static final String ALERTS = "jobqueue.alerts.";

	private ConfiguredAlerts() {
	}

	static Thresholds thresholds(AlertProperties alerts) {
		Setting.positive(ALERTS + "interval", alerts.getInterval());
		Setting.positive(ALERTS + "looks", alerts.getLooks());
		Map<PriorityClass, Map<Metric, Double>> classes = new EnumMap<>(PriorityClass.class);
		classes.put(PriorityClass.INTERACTIVE, ofClass(ALERTS + "interactive", alerts.getInteractive()));
		classes.put(PriorityClass.USER_VISIBLE, ofClass(ALERTS + "user-visible", alerts.getUserVisible()));
		classes.put(PriorityClass.EVENTUAL, ofClass(ALERTS + "eventual", alerts.getEventual()));
		classes.put(PriorityClass.REPORTING, ofClass(ALERTS + "reporting", alerts.getReporting()));
		Map<String, Map<Metric, Double>> types = new HashMap<>();
		alerts.getTypes().forEach((name, type) -> types.put(name, ofType(ALERTS + "types." + name, type)));
		return new Thresholds(classes, types);
	}

	private static Map<Metric, Double> ofClass(String name, AlertClassProperties given) {
		return Map.of(Metric.AGE, seconds(name + ".age", given.getAge()), Metric.RUN_TIME,
				seconds(name + ".run-time", given.getRunTime()), Metric.ATTEMPTS,
				number(name + ".attempts", given.getAttempts()));
	}

	private static Map<Metric, Double> ofType(String name, AlertTypeProperties given) {
		Map<Metric, Double> thresholds = new EnumMap<>(Metric.class);
		if (given.getRunTime() != null) {
			thresholds.put(Metric.RUN_TIME, seconds(name + ".run-time", given.getRunTime()));
		}
		if (given.getAttempts() != null) {
			thresholds.put(Metric.ATTEMPTS, number(name + ".attempts", given.getAttempts()));
		}
		return thresholds;
	}

	private static double seconds(String name, Duration given) {
		return Seconds.of(Setting.notNegative(name, given));
	}

	private static double number(String name, int given) {
		return Setting.notNegative(name, given);
	}

}

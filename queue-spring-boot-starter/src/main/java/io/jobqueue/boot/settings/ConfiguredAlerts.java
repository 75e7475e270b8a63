package io.jobqueue.boot.settings;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.alert.Thresholds;
import io.jobqueue.boot.properties.AlertProperties;
import io.jobqueue.boot.properties.AlertProperties.ClassThresholds;
import io.jobqueue.boot.properties.AlertProperties.TypeThresholds;

/**
 * Reads thresholds from settings, checked.
 */
public final class ConfiguredAlerts {

	private static final String ALERTS = "jobqueue.alerts.";

	private static final AlertProperties DEFAULT = AlertProperties.DEFAULT;

	private ConfiguredAlerts() {
	}

	/**
	 * Check the settings of alerts.
	 * @param alerts what the application sets
	 * @return the thresholds
	 * @throws InvalidConfigurationException if a setting cannot work
	 */
	public static Thresholds thresholds(AlertProperties alerts) {
		Setting.positive(ALERTS + "interval", alerts.interval());
		Setting.positive(ALERTS + "looks", alerts.looks());
		Map<PriorityClass, Map<Metric, Double>> classes = new EnumMap<>(PriorityClass.class);
		classes.put(PriorityClass.INTERACTIVE,
				ofClass(ALERTS + "interactive", alerts.interactive(), DEFAULT.interactive()));
		classes.put(PriorityClass.USER_VISIBLE,
				ofClass(ALERTS + "user-visible", alerts.userVisible(), DEFAULT.userVisible()));
		classes.put(PriorityClass.EVENTUAL, ofClass(ALERTS + "eventual", alerts.eventual(), DEFAULT.eventual()));
		classes.put(PriorityClass.REPORTING, ofClass(ALERTS + "reporting", alerts.reporting(), DEFAULT.reporting()));
		Map<String, Map<Metric, Double>> types = new HashMap<>();
		alerts.types().forEach((name, type) -> types.put(name, ofType(ALERTS + "types." + name, type)));
		return new Thresholds(classes, types);
	}

	private static Map<Metric, Double> ofClass(String name, ClassThresholds given, ClassThresholds defaults) {
		return thresholds(name, either(given.age(), defaults.age()), either(given.runTime(), defaults.runTime()),
				either(given.attempts(), defaults.attempts()));
	}

	private static <T> @Nullable T either(@Nullable T given, @Nullable T byDefault) {
		return (given != null) ? given : byDefault;
	}

	private static Map<Metric, Double> ofType(String name, TypeThresholds given) {
		return thresholds(name, null, given.runTime(), given.attempts());
	}

	private static Map<Metric, Double> thresholds(String name, @Nullable Duration age, @Nullable Duration runTime,
			@Nullable Integer attempts) {
		Map<Metric, Double> thresholds = new EnumMap<>(Metric.class);
		if (age != null) {
			thresholds.put(Metric.AGE, seconds(name + ".age", age));
		}
		if (runTime != null) {
			thresholds.put(Metric.RUN_TIME, seconds(name + ".run-time", runTime));
		}
		if (attempts != null) {
			thresholds.put(Metric.ATTEMPTS, number(name + ".attempts", attempts));
		}
		return thresholds;
	}

	private static double seconds(String name, Duration given) {
		return Thresholds.seconds(Setting.notNegative(name, given));
	}

	private static double number(String name, int given) {
		return Setting.notNegative(name, given);
	}

}

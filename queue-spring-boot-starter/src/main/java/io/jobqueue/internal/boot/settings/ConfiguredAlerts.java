package io.jobqueue.internal.boot.settings;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.boot.alert.Thresholds;
import io.jobqueue.internal.boot.properties.AlertProperties;
import io.jobqueue.internal.boot.properties.AlertProperties.ClassThresholds;

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
		classes.put(PriorityClass.INTERACTIVE, ofClass("interactive", alerts.interactive(), DEFAULT.interactive()));
		classes.put(PriorityClass.USER_VISIBLE, ofClass("user-visible", alerts.userVisible(), DEFAULT.userVisible()));
		classes.put(PriorityClass.EVENTUAL, ofClass("eventual", alerts.eventual(), DEFAULT.eventual()));
		classes.put(PriorityClass.REPORTING, ofClass("reporting", alerts.reporting(), DEFAULT.reporting()));
		Map<String, Map<Metric, Double>> types = new HashMap<>();
		alerts.types()
			.forEach((name, type) -> types.put(name,
					thresholds("types." + name, null, type.runTime(), type.attempts())));
		return new Thresholds(classes, types);
	}

	private static Map<Metric, Double> ofClass(String group, ClassThresholds given, ClassThresholds defaults) {
		Map<Metric, Double> thresholds = thresholds(group, defaults.age(), defaults.runTime(), defaults.attempts());
		thresholds.putAll(thresholds(group, given.age(), given.runTime(), given.attempts()));
		return thresholds;
	}

	private static Map<Metric, Double> thresholds(String group, @Nullable Duration age, @Nullable Duration runTime,
			@Nullable Integer attempts) {
		String name = ALERTS + group;
		Map<Metric, Double> thresholds = new EnumMap<>(Metric.class);
		if (age != null) {
			thresholds.put(Metric.AGE, Thresholds.seconds(Setting.notNegative(name + ".age", age)));
		}
		if (runTime != null) {
			thresholds.put(Metric.RUN_TIME, Thresholds.seconds(Setting.notNegative(name + ".run-time", runTime)));
		}
		if (attempts != null) {
			thresholds.put(Metric.ATTEMPTS, (double) Setting.notNegative(name + ".attempts", attempts));
		}
		return thresholds;
	}

}

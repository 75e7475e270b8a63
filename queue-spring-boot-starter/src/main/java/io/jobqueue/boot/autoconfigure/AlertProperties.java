package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of alerts: {@code jobqueue.alerts}.
 *
 * @param interval Interval at which each node measures whether jobs are late, slow or
 * failing.
 * @param looks Number of consecutive measurements that must find a threshold crossed
 * before its alert is raised, and uncrossed before it recovers.
 * @param interactive Priorities 0 to 9.
 * @param userVisible Priorities 10 to 19.
 * @param eventual Priorities 20 to 29.
 * @param reporting Priorities 30 to 99.
 * @param types Thresholds of single types, by name: run-time and attempts, which replace
 * those of the priority class for jobs of the type.
 */
record AlertProperties(@DefaultValue("10s") Duration interval, @DefaultValue("2") int looks,
		@DefaultValue ClassThresholds interactive, @DefaultValue ClassThresholds userVisible,
		@DefaultValue ClassThresholds eventual, @DefaultValue ClassThresholds reporting,
		@DefaultValue Map<String, TypeThresholds> types) {

	AlertProperties {
		interactive = interactive.orElse(Duration.ofMinutes(1), Duration.ofSeconds(30), 3);
		userVisible = userVisible.orElse(Duration.ofMinutes(3), Duration.ofSeconds(90), 5);
		eventual = eventual.orElse(Duration.ofMinutes(90), Duration.ofMinutes(5), 8);
		reporting = reporting.orElse(Duration.ofHours(4), Duration.ofMinutes(10), 8);
	}

	/**
	 * Thresholds of a priority class, such as {@code jobqueue.alerts.interactive}.
	 *
	 * @param age Waiting time of a due job at which an alert is raised; 0 for none.
	 * @param runTime Run time of a handler at which an alert is raised; 0 for none.
	 * @param attempts Number of failed attempts of a job at which an alert is raised; 0
	 * for none.
	 */
	record ClassThresholds(@Nullable Duration age, @Nullable Duration runTime, @Nullable Integer attempts) {

		private ClassThresholds orElse(Duration age, Duration runTime, int attempts) {
			return new ClassThresholds((this.age != null) ? this.age : age,
					(this.runTime != null) ? this.runTime : runTime,
					(this.attempts != null) ? this.attempts : (Integer) attempts);
		}

	}

	/**
	 * Thresholds of a type: {@code jobqueue.alerts.types.<type>}.
	 *
	 * @param runTime Run time of a handler at which an alert is raised; 0 for none.
	 * Default: that of the priority class.
	 * @param attempts Number of failed attempts of a job at which an alert is raised; 0
	 * for none. Default: that of the priority class.
	 */
	record TypeThresholds(@Nullable Duration runTime, @Nullable Integer attempts) {

	}

}

package io.jobqueue.internal.boot.properties;

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
 * @param queues Queues whose alerts this node raises: all, or those that its handlers,
 * payloads and settings name.
 * @param interactive Priorities 0 to 9.
 * @param userVisible Priorities 10 to 19.
 * @param eventual Priorities 20 to 29.
 * @param reporting Priorities 30 to 99.
 * @param types Thresholds of single types, by name: run-time and attempts, which replace
 * those of the priority class for jobs of the type.
 */
public record AlertProperties(@DefaultValue("10s") Duration interval, @DefaultValue("2") int looks,
		@DefaultValue("all") Queues queues, @DefaultValue ClassThresholds interactive,
		@DefaultValue ClassThresholds userVisible, @DefaultValue ClassThresholds eventual,
		@DefaultValue ClassThresholds reporting, @DefaultValue Map<String, TypeThresholds> types) {

	/**
	 * The settings for which nothing is set.
	 */
	public static final AlertProperties DEFAULT = new AlertProperties(Duration.ofSeconds(10), 2, Queues.ALL,
			new ClassThresholds(Duration.ofMinutes(1), Duration.ofSeconds(30), 3),
			new ClassThresholds(Duration.ofMinutes(3), Duration.ofSeconds(90), 5),
			new ClassThresholds(Duration.ofMinutes(90), Duration.ofMinutes(5), 8),
			new ClassThresholds(Duration.ofHours(4), Duration.ofMinutes(10), 8), Map.of());

	/**
	 * The queues whose alerts a node raises.
	 */
	public enum Queues {

		/**
		 * All queues of the schema.
		 */
		ALL,

		/**
		 * Those that handlers, payloads and settings of the node name; {@code default} if
		 * they name none.
		 */
		DECLARED

	}

	/**
	 * Thresholds of a priority class, such as {@code jobqueue.alerts.interactive}.
	 *
	 * @param age Waiting time of a due job at which an alert is raised; 0 for none.
	 * @param runTime Run time of a handler at which an alert is raised; 0 for none.
	 * @param attempts Number of failed attempts of a job at which an alert is raised; 0
	 * for none.
	 */
	public record ClassThresholds(@Nullable Duration age, @Nullable Duration runTime, @Nullable Integer attempts) {

	}

	/**
	 * Thresholds of a type: {@code jobqueue.alerts.types.<type>}.
	 *
	 * @param runTime Run time of a handler at which an alert is raised; 0 for none.
	 * Default: that of the priority class.
	 * @param attempts Number of failed attempts of a job at which an alert is raised; 0
	 * for none. Default: that of the priority class.
	 */
	public record TypeThresholds(@Nullable Duration runTime, @Nullable Integer attempts) {

	}

}

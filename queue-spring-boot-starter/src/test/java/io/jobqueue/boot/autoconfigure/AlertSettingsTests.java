package io.jobqueue.boot.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.boot.alert.Thresholds;
import io.jobqueue.internal.boot.settings.BoundSettings;
import io.jobqueue.internal.boot.settings.ConfiguredAlerts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thresholds as they are configured.
 */
class AlertSettingsTests extends QueueTestBase {

	@Test
	void defaultsAreThoseOfTheDocumentation() {
		assertThat(thresholds()).isEqualTo(new Thresholds(Map.of(PriorityClass.INTERACTIVE, thresholds(60, 30, 3),
				PriorityClass.USER_VISIBLE, thresholds(180, 90, 5), PriorityClass.EVENTUAL, thresholds(5_400, 300, 8),
				PriorityClass.REPORTING, thresholds(14_400, 600, 8)), Map.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "user-visible", "user_visible", "userVisible" })
	void classesMayBeSpeltLikeTheirTags(String name) {
		assertThat(thresholds("jobqueue.alerts." + name + ".age=2s").classes().get(PriorityClass.USER_VISIBLE))
			.isEqualTo(thresholds(2, 90, 5));
	}

	@Test
	void nameOfATypeStaysAsItIsWritten() {
		assertThat(thresholds("jobqueue.alerts.types.Import.run-time=1h", "jobqueue.alerts.types.Import.attempts=0",
				"jobqueue.alerts.types.[shop.Import_2].attempts=7")
			.types())
			.isEqualTo(Map.of("Import", Map.of(Metric.RUN_TIME, 3600.0, Metric.ATTEMPTS, 0.0), "shop.Import_2",
					Map.of(Metric.ATTEMPTS, 7.0)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jobqueue.alerts.interval=0s              | 0s  | Set a duration of at least 1 ms.
			jobqueue.alerts.looks=0                  | 0   | Set a number above 0, or remove the setting.
			jobqueue.alerts.interactive.age=-1s      | -1s | Set a duration that is not negative.
			jobqueue.alerts.user-visible.run-time=-1s| -1s | Set a duration that is not negative.
			jobqueue.alerts.eventual.attempts=-1     | -1  | Set a number that is not negative.
			jobqueue.alerts.reporting.age=-1s        | -1s | Set a duration that is not negative.
			jobqueue.alerts.types.Import.run-time=-1s| -1s | Set a duration that is not negative.
			jobqueue.alerts.types.Import.attempts=-1 | -1  | Set a number that is not negative.
			""")
	void mistakesAreNamedAtStart(String property, String value, String action) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription())
				.isEqualTo("The setting '%s' is %s.".formatted(property.substring(0, property.indexOf('=')), value));
			assertThat(analysis.getAction()).isEqualTo(action);
		});
	}

	private static Thresholds thresholds(String... properties) {
		return ConfiguredAlerts.thresholds(BoundSettings.properties(properties).alerts());
	}

	private static Map<Metric, Double> thresholds(double age, double runTime, double attempts) {
		return Map.of(Metric.AGE, age, Metric.RUN_TIME, runTime, Metric.ATTEMPTS, attempts);
	}

}

package io.jobqueue.internal.boot.alert;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;
import io.jobqueue.internal.logging.LogText;

/**
 * Logs alerts, with their parts as keys of a structured log. At most 20 changes of each
 * kind are logged at once: most likely they have the same cause.
 */
final class AlertLog {

	private static final int MAX_LINES = 20;

	private static final Logger logger = LoggerFactory.getLogger(Alerts.class);

	private AlertLog() {
	}

	static void log(Collection<JobAlertEvent> changes) {
		log(changes.stream().filter(JobAlertRaised.class::isInstance).toList(), Level.WARN, "Raised");
		log(changes.stream().filter(JobAlertRecovered.class::isInstance).toList(), Level.INFO, "Recovered");
	}

	private static void log(List<JobAlertEvent> changes, Level level, String verb) {
		changes.stream().limit(MAX_LINES).forEach((change) -> log(change, level, verb));
		if (changes.size() > MAX_LINES) {
			logger.atLevel(level).log("{}: {}", verb, LogText.counted(changes.size() - MAX_LINES, "more alert"));
		}
	}

	private static void log(JobAlertEvent change, Level level, String verb) {
		JobAlert alert = change.alert();
		LoggingEventBuilder line = logger.atLevel(level)
			.addKeyValue("job.queue", alert.queue())
			.addKeyValue("job.priority", alert.priority().tagValue())
			.addKeyValue("alert.metric", alert.metric().name().toLowerCase(Locale.ROOT))
			.addKeyValue("alert.value", alert.value())
			.addKeyValue("alert.threshold", alert.threshold());
		if (alert.type() != null) {
			line = line.addKeyValue("job.type", alert.type());
		}
		line.log("{}: {} since {}", verb, alert, alert.since());
	}

}

package io.jobqueue.boot.health;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import io.jobqueue.PriorityClass;
import io.jobqueue.boot.health.HealthReader.ClassSnapshot;
import io.jobqueue.boot.health.HealthReader.HealthSnapshot;
import io.jobqueue.boot.metrics.CachedValue;
import io.jobqueue.logging.DurationText;

/**
 * {@link HealthIndicator} of the queue on this node: DOWN only if its worker cannot work,
 * never because of a backlog. It waits for the database half a second at most.
 */
public final class QueueHealthIndicator extends AbstractHealthIndicator {

	private final NodeHealth node;

	private final CachedValue<HealthSnapshot> snapshot;

	private final AlertStatus alerts;

	private final HealthSettings settings;

	/**
	 * Create an indicator.
	 * @param node the health of the worker
	 * @param reader reads the database
	 * @param alerts the crossed thresholds
	 * @param settings the settings
	 */
	public QueueHealthIndicator(NodeHealth node, HealthReader reader, AlertStatus alerts, HealthSettings settings) {
		super("Could not determine the health of the job queue");
		this.node = node;
		this.snapshot = CachedValue.Factory.of(Clock.systemUTC(), settings.refreshInterval())
			.create("the health details", reader::read);
		this.alerts = alerts;
		this.settings = settings;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Collection<String> crossed = this.alerts.crossed();
		List<String> problems = new ArrayList<>(this.node.problems(this.settings.toleratedOutage()));
		if (this.settings.alerts()) {
			crossed.forEach((alert) -> problems.add("Alert: " + alert));
		}
		builder
			.status((problems.isEmpty() || this.node.isStarting(this.settings.startGrace())) ? Status.UP : Status.DOWN);
		builder.withDetail("problems", BoundedDetails.list(problems));
		builder.withDetail("alerts", BoundedDetails.list(crossed));
		builder.withDetails(this.node.details());
		builder.withDetails(details(this.snapshot.latest()));
	}

	private static Map<String, Object> details(@Nullable HealthSnapshot snapshot) {
		if (snapshot == null) {
			return Map.of("readAt", "not yet: the database has not answered");
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("readAt", snapshot.at().toString());
		details.put("workers", Map.of("living", snapshot.workers().living(), "here", snapshot.workers().here()));
		details.put("pausedQueues", BoundedDetails.list(snapshot.paused()));
		details.put("unservedQueues", BoundedDetails.list(snapshot.unserved()));
		details.put("waitingForFailed", snapshot.waitingForFailed());
		details.put("priorities", classes(snapshot.classes()));
		details.put("partial", snapshot.partial());
		return details;
	}

	private static Map<String, Object> classes(Map<PriorityClass, ClassSnapshot> classes) {
		Map<String, Object> details = new LinkedHashMap<>();
		classes.forEach((priority, snapshot) -> details.put(priority.tagValue(), Map.of("oldest",
				DurationText.of(snapshot.oldest().truncatedTo(ChronoUnit.SECONDS)), "attempts", snapshot.attempts())));
		return details;
	}

	/**
	 * Settings of the indicator.
	 *
	 * @param startGrace the time after the start in which the status is UP
	 * @param toleratedOutage the time that the database may take to answer the worker
	 * before the status is DOWN
	 * @param refreshInterval the time after which details are read from the database
	 * again
	 * @param alerts whether a crossed threshold makes the status DOWN
	 */
	public record HealthSettings(Duration startGrace, Duration toleratedOutage, Duration refreshInterval,
			boolean alerts) {
	}

}

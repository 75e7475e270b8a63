package io.jobqueue.internal.boot.health;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import io.jobqueue.internal.boot.metrics.CachedValue;
import io.jobqueue.internal.boot.properties.JobQueueProperties;

/**
 * {@link HealthIndicator} of the queue on this node: DOWN only if its worker cannot work,
 * never because of a backlog. It waits for the database half a second at most.
 */
public final class QueueHealthIndicator extends AbstractHealthIndicator {

	private final NodeHealth node;

	private final CachedValue<Map<String, Object>> details;

	private final AlertStatus alerts;

	private final JobQueueProperties.Health settings;

	/**
	 * Create an indicator.
	 * @param node the health of the worker
	 * @param reader reads the database
	 * @param alerts the crossed thresholds
	 * @param settings the settings
	 */
	public QueueHealthIndicator(NodeHealth node, HealthReader reader, AlertStatus alerts,
			JobQueueProperties.Health settings) {
		super("Could not determine the health of the job queue");
		this.node = node;
		this.details = CachedValue.Factory.of(Clock.systemUTC(), settings.refreshInterval())
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
		builder.withDetails(Objects.requireNonNullElse(this.details.latest(),
				Map.of("readAt", "not yet: the database has not answered")));
	}

}

package io.jobqueue.boot.health;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.jobqueue.PriorityClass;

/**
 * Health of the queue on this node: DOWN only if its worker cannot work, and never for a
 * mere backlog. The answer does not wait for the database.
 */
public final class QueueHealthIndicator extends AbstractHealthIndicator {

	private final long startedAt = System.nanoTime();

	private final NodeHealth node;

	private final LatestReading reading;

	private final AlertStatus alerts;

	private final HealthSettings settings;

	/**
	 * Create an indicator. The grace after the start begins now.
	 * @param node what this JVM knows of itself
	 * @param reader what reads the database
	 * @param alerts what is beyond its threshold
	 * @param settings when the node counts as well
	 */
	public QueueHealthIndicator(NodeHealth node, HealthReader reader, AlertStatus alerts, HealthSettings settings) {
		super("The health of the job queue cannot be told");
		this.node = node;
		this.reading = new LatestReading(reader::read, settings.refreshInterval(), threads());
		this.alerts = alerts;
		this.settings = settings;
	}

	private static Executor threads() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("jobqueue-health-");
		factory.setDaemon(true);
		return (task) -> factory.newThread(task).start();
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Collection<String> crossed = this.alerts.crossed();
		List<String> problems = new ArrayList<>(this.node.problems(this.settings.toleratedOutage()));
		if (this.settings.alerts()) {
			crossed.forEach((alert) -> problems.add("Alert: " + alert));
		}
		boolean starting = System.nanoTime() - this.startedAt < this.settings.startGrace().toNanos();
		builder.status((problems.isEmpty() || starting) ? Status.UP : Status.DOWN);
		builder.withDetail("problems", Bounded.list(problems));
		builder.withDetail("alerts", Bounded.list(crossed));
		builder.withDetails(this.node.details());
		builder.withDetails(details(this.reading.get()));
	}

	private static Map<String, Object> details(@Nullable HealthReading reading) {
		if (reading == null) {
			return Map.of("readAt", "not yet: the database has not answered");
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("readAt", reading.at().toString());
		details.put("workers", Map.of("living", reading.workers().living(), "here", reading.workers().here()));
		details.put("pausedQueues", Bounded.list(reading.paused()));
		details.put("unservedQueues", Bounded.list(reading.unserved()));
		details.put("priorities", classes(reading.classes()));
		return details;
	}

	private static Map<String, Object> classes(Map<PriorityClass, ClassReading> classes) {
		Map<String, Object> details = new LinkedHashMap<>();
		classes.forEach((priority, reading) -> details.put(priority.tagValue(), Map.of("oldest",
				reading.oldest().truncatedTo(ChronoUnit.SECONDS).toString(), "attempts", reading.attempts())));
		return details;
	}

}

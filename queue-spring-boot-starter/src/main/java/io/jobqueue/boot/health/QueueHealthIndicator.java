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
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.jobqueue.PriorityClass;
import io.jobqueue.boot.health.HealthReader.ClassSnapshot;
import io.jobqueue.boot.health.HealthReader.HealthSnapshot;
import io.jobqueue.boot.metrics.CachedValue;
import io.jobqueue.boot.metrics.CachedValue.Factory;
import io.jobqueue.logging.DurationText;

/**
 * Health of the queue on this node: DOWN only if its worker cannot work, and never for a
 * mere backlog. The answer does not wait for the database.
 */
public final class QueueHealthIndicator extends AbstractHealthIndicator
		implements ApplicationContextAware, ApplicationListener<ContextRefreshedEvent> {

	private final NodeHealth node;

	private final CachedValue<HealthSnapshot> reading;

	private final AlertStatus alerts;

	private final HealthSettings settings;

	private @Nullable ApplicationContext context;

	private volatile @Nullable Long startedAt;

	/**
	 * Create an indicator.
	 * @param node what this JVM knows of itself
	 * @param reader what reads the database
	 * @param alerts what is beyond its threshold
	 * @param settings when the node counts as well
	 */
	public QueueHealthIndicator(NodeHealth node, HealthReader reader, AlertStatus alerts, HealthSettings settings) {
		super("Could not determine the health of the job queue");
		this.node = node;
		this.reading = Factory.of(Clock.systemUTC(), settings.refreshInterval())
			.read("the health details", reader::read);
		this.alerts = alerts;
		this.settings = settings;
	}

	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	/**
	 * Begin the grace after the start: by now, the worker has started, too. Contexts
	 * below this one may be earlier.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (this.startedAt == null && event.getApplicationContext() == this.context) {
			this.startedAt = System.nanoTime();
		}
	}

	private boolean isStarting() {
		Long since = this.startedAt;
		return since == null || System.nanoTime() - since < this.settings.startGrace().toNanos();
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Collection<String> crossed = this.alerts.crossed();
		List<String> problems = new ArrayList<>(this.node.problems(this.settings.toleratedOutage()));
		if (this.settings.alerts()) {
			crossed.forEach((alert) -> problems.add("Alert: " + alert));
		}
		builder.status((problems.isEmpty() || isStarting()) ? Status.UP : Status.DOWN);
		builder.withDetail("problems", BoundedDetails.list(problems));
		builder.withDetail("alerts", BoundedDetails.list(crossed));
		builder.withDetails(this.node.details());
		builder.withDetails(details(this.reading.latest()));
	}

	private static Map<String, Object> details(@Nullable HealthSnapshot reading) {
		if (reading == null) {
			return Map.of("readAt", "not yet: the database has not answered");
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("readAt", reading.at().toString());
		details.put("workers", Map.of("living", reading.workers().living(), "here", reading.workers().here()));
		details.put("pausedQueues", BoundedDetails.list(reading.paused()));
		details.put("unservedQueues", BoundedDetails.list(reading.unserved()));
		details.put("priorities", classes(reading.classes()));
		details.put("partial", reading.partial());
		return details;
	}

	private static Map<String, Object> classes(Map<PriorityClass, ClassSnapshot> classes) {
		Map<String, Object> details = new LinkedHashMap<>();
		classes.forEach((priority, reading) -> details.put(priority.tagValue(), Map.of("oldest",
				DurationText.of(reading.oldest().truncatedTo(ChronoUnit.SECONDS)), "attempts", reading.attempts())));
		return details;
	}

	/**
	 * When a node counts as well.
	 *
	 * @param startGrace how long after the start nothing makes it DOWN
	 * @param toleratedOutage how long the database may leave the worker without an answer
	 * @param refreshInterval how long a reading of the database is good for
	 * @param alerts whether crossed thresholds make it DOWN
	 */
	public record HealthSettings(Duration startGrace, Duration toleratedOutage, Duration refreshInterval,
			boolean alerts) {
	}

}

package io.jobqueue.internal.boot.metrics;

import java.util.Map;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import org.jspecify.annotations.Nullable;

/**
 * Denies the timers that Spring Boot makes of the observations {@code jobqueue.send} and
 * {@code jobqueue.process}, unless {@code management.metrics.enable} asks for them: they
 * measure what the queue's own timers measure. Spans are not affected.
 */
public final class ObservationTimerFilter implements MeterFilter {

	private final Map<String, Boolean> enabled;

	/**
	 * Create a filter.
	 * @param enabled the properties below {@code management.metrics.enable}: beginnings
	 * of meter names, and whether such meters are enabled
	 */
	public ObservationTimerFilter(Map<String, Boolean> enabled) {
		this.enabled = enabled;
	}

	@Override
	public MeterFilterReply accept(Meter.Id id) {
		boolean denied = isObservation(id.getName()) && !isEnabled(id.getName());
		return denied ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
	}

	private static boolean isObservation(String name) {
		return (name + ".").startsWith("jobqueue.send.") || (name + ".").startsWith("jobqueue.process.");
	}

	/**
	 * The longest configured prefix takes precedence, as in Spring Boot.
	 */
	private boolean isEnabled(String name) {
		@Nullable Boolean configured = this.enabled.get(name);
		int dot = name.lastIndexOf('.');
		return (configured != null) ? configured : dot > 0 && isEnabled(name.substring(0, dot));
	}

}

package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.jobqueue.policy.Backoff;

/**
 * Makes the backoff that settings describe.
 */
final class Backoffs {

	private final String prefix;

	private final BackoffProperties properties;

	private Backoffs(String prefix, BackoffProperties properties) {
		this.prefix = prefix;
		this.properties = properties;
	}

	static Backoff of(String prefix, BackoffProperties properties) {
		return new Backoffs(prefix, properties).withJitter();
	}

	private Backoff withJitter() {
		double jitter = this.properties.getJitter();
		Setting.check(jitter >= 0 && jitter <= 1, this.prefix + ".jitter", jitter, "Set a share from 0 to 1.");
		checkDurations();
		checkUse();
		return byType().withJitter(jitter);
	}

	private void checkDurations() {
		checkDuration("delay", this.properties.getDelay());
		checkDuration("min", this.properties.getMin());
		checkDuration("max", this.properties.getMax());
		this.properties.getDelays().forEach((delay) -> checkDuration("delays", delay));
	}

	private void checkDuration(String key, @Nullable Duration value) {
		if (value != null) {
			Setting.notNegative(this.prefix + "." + key, value);
		}
	}

	private void checkUse() {
		checkUse("delay", this.properties.getDelay() != null, BackoffProperties.Type.FIXED);
		checkUse("delays", !this.properties.getDelays().isEmpty(), BackoffProperties.Type.LIST);
		checkUse("min", this.properties.getMin() != null, BackoffProperties.Type.EXPONENTIAL);
		checkUse("max", this.properties.getMax() != null, BackoffProperties.Type.EXPONENTIAL);
		checkUse("factor", this.properties.getFactor() != new BackoffProperties().getFactor(),
				BackoffProperties.Type.EXPONENTIAL);
	}

	private void checkUse(String key, boolean given, BackoffProperties.Type user) {
		BackoffProperties.Type type = this.properties.getType();
		if (given && type != user) {
			throw new InvalidSettingException("The setting '%s.%s' has a value, but backoff type %s does not use it."
				.formatted(this.prefix, key, text(type)),
					"Remove it, or set '%s.type' to %s.".formatted(this.prefix, text(user)));
		}
	}

	private Backoff byType() {
		return switch (this.properties.getType()) {
			case POLYNOMIAL -> Backoff.polynomial();
			case EXPONENTIAL -> exponential();
			case FIXED -> Backoff.fixed(required("delay", this.properties.getDelay()));
			case LIST -> list();
		};
	}

	private Backoff exponential() {
		Duration min = required("min", this.properties.getMin());
		Duration max = required("max", this.properties.getMax());
		double factor = this.properties.getFactor();
		Setting.check(factor >= 1 && Double.isFinite(factor), this.prefix + ".factor", factor,
				"Set a number of at least 1.");
		Setting.atLeast(this.prefix + ".max", max, this.prefix + ".min", min);
		return Backoff.exponential(min, max, factor);
	}

	private Backoff list() {
		List<Duration> delays = this.properties.getDelays();
		required("delays", delays.isEmpty() ? null : delays.get(0));
		return Backoff.list(List.copyOf(delays));
	}

	private Duration required(String key, @Nullable Duration value) {
		return Setting.required(this.prefix + "." + key, value,
				"backoff type " + text(this.properties.getType()) + " requires it");
	}

	private static String text(BackoffProperties.Type type) {
		return type.name().toLowerCase(Locale.ROOT);
	}

}

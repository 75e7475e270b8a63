package io.jobqueue.internal.boot.settings;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.properties.BackoffProperties;
import io.jobqueue.internal.policy.Backoff;

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
		double jitter = this.properties.jitter();
		Setting.check(jitter >= 0 && jitter <= 1, this.prefix + ".jitter", jitter, "Set a share from 0 to 1.");
		checkDurations();
		checkUse();
		return byType().withJitter(jitter);
	}

	private void checkDurations() {
		checkDuration("delay", this.properties.delay());
		checkDuration("min", this.properties.min());
		checkDuration("max", this.properties.max());
		this.properties.delays().forEach((delay) -> checkDuration("delays", delay));
	}

	private void checkDuration(String key, @Nullable Duration value) {
		if (value != null) {
			Setting.notNegative(this.prefix + "." + key, value);
		}
	}

	private void checkUse() {
		checkUse("delay", this.properties.delay() != null, BackoffProperties.Type.FIXED);
		checkUse("delays", !this.properties.delays().isEmpty(), BackoffProperties.Type.LIST);
		checkUse("min", this.properties.min() != null, BackoffProperties.Type.EXPONENTIAL);
		checkUse("max", this.properties.max() != null, BackoffProperties.Type.EXPONENTIAL);
		checkUse("factor", this.properties.factor() != BackoffProperties.DEFAULT.factor(),
				BackoffProperties.Type.EXPONENTIAL);
	}

	private void checkUse(String key, boolean given, BackoffProperties.Type user) {
		BackoffProperties.Type type = this.properties.type();
		if (given && type != user) {
			throw new InvalidConfigurationException(
					"The setting '%s.%s' has a value, but backoff type %s does not use it.".formatted(this.prefix, key,
							text(type)),
					"Remove it, or set '%s.type' to %s.".formatted(this.prefix, text(user)));
		}
	}

	private Backoff byType() {
		return switch (this.properties.type()) {
			case POLYNOMIAL -> Backoff.polynomial();
			case EXPONENTIAL -> exponential();
			case FIXED -> Backoff.fixed(required("delay", this.properties.delay()));
			case LIST -> list();
		};
	}

	private Backoff exponential() {
		Duration min = required("min", this.properties.min());
		Duration max = required("max", this.properties.max());
		double factor = this.properties.factor();
		Setting.check(factor >= 1 && Double.isFinite(factor), this.prefix + ".factor", factor,
				"Set a number of at least 1.");
		Setting.atLeast(this.prefix + ".max", max, this.prefix + ".min", min);
		return Backoff.exponential(min, max, factor);
	}

	private Backoff list() {
		List<Duration> delays = this.properties.delays();
		required("delays", delays.isEmpty() ? null : delays.get(0));
		return Backoff.list(List.copyOf(delays));
	}

	private Duration required(String key, @Nullable Duration value) {
		return Setting.required(this.prefix + "." + key, value,
				"backoff type " + text(this.properties.type()) + " requires it");
	}

	private static String text(BackoffProperties.Type type) {
		return type.name().toLowerCase(Locale.ROOT);
	}

}

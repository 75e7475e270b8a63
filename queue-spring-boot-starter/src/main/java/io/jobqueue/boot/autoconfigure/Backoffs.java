package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.jobqueue.retry.Backoff;

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
		Setting.check(jitter >= 0 && jitter <= 1, this.prefix + ".jitter", jitter, "Give it a share from 0 to 1.");
		return byType().withJitter(jitter);
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
				"Give it a number of at least 1.");
		Setting.atLeast(this.prefix + ".max", max, this.prefix + ".min", min);
		return Backoff.exponential(min, max, factor);
	}

	private Backoff list() {
		List<Duration> delays = this.properties.getDelays();
		required("delays", delays.isEmpty() ? null : delays.get(0));
		delays.forEach((delay) -> Setting.notNegative(this.prefix + ".delays", delay));
		return Backoff.list(List.copyOf(delays));
	}

	private Duration required(String key, @Nullable Duration value) {
		String type = this.properties.getType().name().toLowerCase(Locale.ROOT);
		return Setting.notNegative(this.prefix + "." + key,
				Setting.required(this.prefix + "." + key, value, "the type " + type + " needs it"));
	}

}

package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How long a job waits after a failed attempt: {@code jobqueue.defaults.backoff}.
 */
class BackoffProperties {

	/**
	 * How the delay grows with the number of the attempt that failed: polynomial
	 * (attempt^4 + 5 s), exponential (min * factor^(attempt - 1), at most max), fixed
	 * (delay) or list (delays).
	 */
	private Type type = Type.POLYNOMIAL;

	/**
	 * Delay of the type fixed.
	 */
	private @Nullable Duration delay;

	/**
	 * Comma-separated list of the delays of the type list; the last one repeats.
	 */
	private List<Duration> delays = List.of();

	/**
	 * First delay of the type exponential.
	 */
	private @Nullable Duration min;

	/**
	 * Longest delay of the type exponential.
	 */
	private @Nullable Duration max;

	/**
	 * Factor between two delays of the type exponential.
	 */
	private double factor = 2;

	/**
	 * Share of each delay, from 0 to 1, by which it is shortened or lengthened at random.
	 */
	private double jitter = 0;

	public Type getType() {
		return this.type;
	}

	public void setType(Type type) {
		this.type = type;
	}

	public @Nullable Duration getDelay() {
		return this.delay;
	}

	public void setDelay(@Nullable Duration delay) {
		this.delay = delay;
	}

	public List<Duration> getDelays() {
		return this.delays;
	}

	public void setDelays(List<Duration> delays) {
		this.delays = delays;
	}

	public @Nullable Duration getMin() {
		return this.min;
	}

	public void setMin(@Nullable Duration min) {
		this.min = min;
	}

	public @Nullable Duration getMax() {
		return this.max;
	}

	public void setMax(@Nullable Duration max) {
		this.max = max;
	}

	public double getFactor() {
		return this.factor;
	}

	public void setFactor(double factor) {
		this.factor = factor;
	}

	public double getJitter() {
		return this.jitter;
	}

	public void setJitter(double jitter) {
		this.jitter = jitter;
	}

	/**
	 * How the delay grows.
	 */
	enum Type {

		/**
		 * With the fourth power of the attempt.
		 */
		POLYNOMIAL,

		/**
		 * By the same factor each time.
		 */
		EXPONENTIAL,

		/**
		 * Not at all.
		 */
		FIXED,

		/**
		 * As listed.
		 */
		LIST

	}

}

package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClusterLimits.Rate;

/**
 * Maximum number of jobs per period: {@code jobqueue.defaults.rate}.
 */
class RateProperties {

	/**
	 * Maximum number of jobs that all nodes together begin in any period. Default: no
	 * limit.
	 */
	private @Nullable Integer limit;

	/**
	 * Length of the period.
	 */
	private @Nullable Duration period;

	public @Nullable Integer getLimit() {
		return this.limit;
	}

	public void setLimit(@Nullable Integer limit) {
		this.limit = limit;
	}

	public @Nullable Duration getPeriod() {
		return this.period;
	}

	public void setPeriod(@Nullable Duration period) {
		this.period = period;
	}

	/**
	 * Return the rate that the settings with the given prefix ask for.
	 */
	@Nullable Rate toRate(String prefix) {
		if (this.limit == null && this.period == null) {
			return null;
		}
		int jobs = Setting.required(prefix + ".limit", this.limit, "'" + prefix + ".period' requires it");
		Duration time = Setting.required(prefix + ".period", this.period, "'" + prefix + ".limit' requires it");
		return new Rate(Setting.positive(prefix + ".limit", jobs), Setting.positive(prefix + ".period", time));
	}

}

package io.jobqueue.harness;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

/**
 * Builds settings of a queue: one handler and one attempt, kept for ever, without limits.
 */
public final class QueueSettingsBuilder {

	private int concurrency = 1;

	private int maxAttempts = 1;

	private Duration maxRunTime = Duration.ofHours(1);

	private @Nullable Duration warnAfter;

	private RetryPolicy retryPolicy = (failure) -> RetryDecision.giveUp();

	private @Nullable ExpectedFailures expected;

	private boolean probeRetries;

	private @Nullable Duration keepSucceeded;

	private @Nullable Duration keepDead;

	private ClusterLimits limits = ClusterLimits.NONE;

	private AdmissionRules keys = AdmissionRules.NONE;

	private Map<String, AttemptOptions> types = Map.of();

	private int countedReleases = 3;

	private TransactionLimits transactions = TransactionLimits.SINGLE;

	public QueueSettingsBuilder concurrency(int concurrency) {
		this.concurrency = concurrency;
		return this;
	}

	public QueueSettingsBuilder maxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	public QueueSettingsBuilder maxRunTime(Duration maxRunTime) {
		this.maxRunTime = maxRunTime;
		return this;
	}

	public QueueSettingsBuilder warnAfter(@Nullable Duration warnAfter) {
		this.warnAfter = warnAfter;
		return this;
	}

	public QueueSettingsBuilder retryPolicy(RetryPolicy retryPolicy) {
		this.retryPolicy = retryPolicy;
		return this;
	}

	public QueueSettingsBuilder expected(ExpectedFailures expected) {
		this.expected = expected;
		return this;
	}

	public QueueSettingsBuilder probeRetries() {
		this.probeRetries = true;
		return this;
	}

	public QueueSettingsBuilder keepSucceeded(@Nullable Duration keepSucceeded) {
		this.keepSucceeded = keepSucceeded;
		return this;
	}

	public QueueSettingsBuilder keepDead(@Nullable Duration keepDead) {
		this.keepDead = keepDead;
		return this;
	}

	public QueueSettingsBuilder limits(ClusterLimits limits) {
		this.limits = limits;
		return this;
	}

	public QueueSettingsBuilder keys(AdmissionRules keys) {
		this.keys = keys;
		return this;
	}

	public QueueSettingsBuilder types(Map<String, AttemptOptions> types) {
		this.types = types;
		return this;
	}

	public QueueSettingsBuilder countedReleases(int countedReleases) {
		this.countedReleases = countedReleases;
		return this;
	}

	public QueueSettingsBuilder transactions(TransactionLimits transactions) {
		this.transactions = transactions;
		return this;
	}

	public QueueSettings build() {
		return new QueueSettings(this.concurrency, this.maxAttempts, this.maxRunTime, "max-run-time", this.warnAfter,
				this.retryPolicy, this.expected, this.probeRetries, this.keepSucceeded, this.keepDead, this.limits,
				this.keys, this.types, this.countedReleases, this.transactions);
	}

}

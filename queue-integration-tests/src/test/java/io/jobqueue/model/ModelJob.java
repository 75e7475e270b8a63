package io.jobqueue.model;

import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;

/**
 * What a job ought to be.
 */
final class ModelJob {

	private final UUID id;

	private final Draft draft;

	private int priority;

	private Moment runAt;

	private int attempts;

	private int failures;

	private int expectedFailures;

	private @Nullable ClaimKey holder;

	private @Nullable Integer leaseUntil;

	private boolean once;

	private boolean locked;

	private @Nullable JobState end;

	private int endedAt;

	private @Nullable Integer keepUntil;

	ModelJob(UUID id, Draft draft, ModelClock clock) {
		this.id = id;
		this.draft = draft;
		this.priority = draft.priority();
		this.runAt = clock.in(draft.delay());
	}

	UUID id() {
		return this.id;
	}

	String type() {
		return this.draft.type();
	}

	int priority() {
		return this.priority;
	}

	Moment runAt() {
		return this.runAt;
	}

	int attempts() {
		return this.attempts;
	}

	int countedAttempts() {
		return this.attempts - this.expectedFailures;
	}

	int leaseUntil() {
		return Objects.requireNonNull(this.leaseUntil);
	}

	boolean isOnce() {
		return this.once;
	}

	boolean isLive() {
		return this.end == null;
	}

	boolean isWaiting() {
		return isLive() && this.holder == null;
	}

	boolean isHeldBy(ClaimKey claim) {
		return isLive() && claim.equals(this.holder);
	}

	boolean isLocked() {
		return this.locked;
	}

	boolean isToBePurged(ModelClock clock) {
		return this.keepUntil != null && clock.isReached(this.keepUntil);
	}

	int maxAttempts(int otherwise) {
		return Objects.requireNonNullElse(this.draft.maxAttempts(), otherwise);
	}

	int maxRunTime(int otherwise) {
		return Objects.requireNonNullElse(this.draft.maxRunTime(), otherwise);
	}

	/**
	 * Return whether no attempt is left beside those that are counted.
	 */
	boolean isUsedUp(int otherwise) {
		int limit = maxAttempts(otherwise);
		return limit > 0 && countedAttempts() >= limit;
	}

	void claimed(ClaimKey claim, int lease, boolean atMostOnce) {
		this.holder = claim;
		this.leaseUntil = lease;
		this.once = atMostOnce;
		this.attempts++;
	}

	void extended(int lease) {
		this.leaseUntil = lease;
	}

	void recorded(Outcome outcome, ModelClock clock) {
		if (outcome instanceof Completed completed) {
			succeeded(Minutes.of(completed.retention()), clock.now());
		}
		else if (outcome instanceof Dead dead) {
			died(Minutes.of(dead.retention()), clock.now());
		}
		else if (outcome instanceof RetryLater retry) {
			failed(retry.expected());
			rescheduled(clock.in((int) retry.delay().toMinutes()));
		}
		else {
			released();
			if (outcome instanceof Snoozed snoozed) {
				rescheduled(clock.in((int) snoozed.delay().toMinutes()));
			}
		}
	}

	void succeeded(@Nullable Integer keep, int minute) {
		ended(JobState.SUCCEEDED, keep, minute);
	}

	void died(@Nullable Integer keep, int minute) {
		this.failures++;
		ended(JobState.DEAD, keep, minute);
	}

	private void ended(JobState state, @Nullable Integer keep, int minute) {
		this.end = state;
		this.endedAt = minute;
		this.keepUntil = (keep != null) ? Integer.valueOf(minute + keep) : null;
		free();
	}

	/**
	 * Return whether it ended and is not kept at all.
	 */
	boolean isGone() {
		return !isLive() && Objects.equals(this.keepUntil, this.endedAt);
	}

	void failed() {
		failed(false);
	}

	private void failed(boolean expected) {
		this.failures += expected ? 0 : 1;
		this.expectedFailures += expected ? 1 : 0;
		free();
	}

	void released() {
		this.attempts--;
		free();
	}

	private void free() {
		this.holder = null;
		this.leaseUntil = null;
		this.locked = false;
	}

	void rescheduled(Moment moment) {
		this.runAt = moment;
	}

	void reprioritised(int other) {
		this.priority = other;
	}

	void locked(boolean byTransaction) {
		this.locked = byTransaction;
	}

	Snapshot.Job snapshot(ModelClock clock) {
		return new Snapshot.Job(state(clock), this.priority, this.runAt.minute(), this.attempts, this.failures,
				this.expectedFailures, this.holder, this.leaseUntil, this.keepUntil);
	}

	private JobState state(ModelClock clock) {
		if (this.end != null) {
			return this.end;
		}
		if (this.holder != null) {
			return JobState.RUNNING;
		}
		if (clock.isReached(this.runAt.minute())) {
			return JobState.READY;
		}
		return (this.failures + this.expectedFailures > 0) ? JobState.RETRYING : JobState.SCHEDULED;
	}

}

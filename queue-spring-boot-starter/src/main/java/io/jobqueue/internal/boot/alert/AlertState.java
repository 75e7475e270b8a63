package io.jobqueue.internal.boot.alert;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;

/**
 * State of a threshold, from the first measurement above it until it has recovered. It
 * changes only after a number of measurements in a row that contradict it.
 */
final class AlertState {

	private final AlertSubject subject;

	private final Instant since;

	private boolean raised;

	private boolean over;

	private int contradictions;

	private JobAlert alert;

	AlertState(AlertSubject subject, AlertLevels levels, Instant since) {
		this.subject = subject;
		this.since = since;
		this.alert = alert(levels);
	}

	private JobAlert alert(AlertLevels levels) {
		return new JobAlert(this.subject.queue(), this.subject.priority(), this.subject.metric(), this.subject.type(),
				levels.value(this.subject), levels.threshold(this.subject), this.since);
	}

	/**
	 * Update the state by a measurement.
	 * @param required the number of measurements in a row that change the state
	 * @return the change of the state, {@code null} if there is none
	 */
	@Nullable JobAlertEvent update(AlertLevels levels, int required) {
		if (!levels.isKnown(this.subject)) {
			return null;
		}
		this.alert = alert(levels);
		boolean same = levels.isCrossed(this.subject) == this.raised;
		this.contradictions = same ? 0 : this.contradictions + 1;
		this.over = same && !this.raised;
		return (this.contradictions >= required) ? change() : null;
	}

	private JobAlertEvent change() {
		this.contradictions = 0;
		this.over = this.raised;
		this.raised = !this.raised;
		return this.raised ? new JobAlertRaised(this.alert) : new JobAlertRecovered(this.alert);
	}

	boolean isRaised() {
		return this.raised;
	}

	boolean isOver() {
		return this.over;
	}

	JobAlert alert() {
		return this.alert;
	}

}

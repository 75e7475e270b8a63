package io.jobqueue.boot.alert;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlertEvent;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobAlertRecovered;

/**
 * A threshold from when it is found to be crossed until it has recovered. It changes its
 * mind only after a number of looks in a row that say so.
 */
final class AlertState {

	private final AlertSubject subject;

	private final Instant since;

	private boolean raised;

	private boolean over;

	private int contrary;

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
	 * Take note of what a look says.
	 * @return what there is to tell of it, {@code null} if nothing has changed
	 */
	@Nullable JobAlertEvent look(AlertLevels levels, int looks) {
		if (!levels.isKnown(this.subject)) {
			return null;
		}
		this.alert = alert(levels);
		boolean same = levels.isCrossed(this.subject) == this.raised;
		this.contrary = same ? 0 : this.contrary + 1;
		this.over = same && !this.raised;
		return (this.contrary >= looks) ? change() : null;
	}

	private JobAlertEvent change() {
		this.contrary = 0;
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

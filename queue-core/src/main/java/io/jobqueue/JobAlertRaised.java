package io.jobqueue;

/**
 * A threshold was crossed.
 *
 * @param alert the alert, with the last measurement
 */
public record JobAlertRaised(JobAlert alert) implements JobAlertEvent {
}

package io.jobqueue;

/**
 * A threshold was crossed.
 *
 * @param alert the alert, with what was measured last
 */
public record JobAlertRaised(JobAlert alert) implements JobAlertEvent {
}

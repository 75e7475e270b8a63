package io.jobqueue;

/**
 * A threshold that was crossed is not any more.
 *
 * @param alert the alert, with what was measured last, which is below the threshold
 */
public record JobAlertRecovered(JobAlert alert) implements JobAlertEvent {
}

package io.jobqueue;

/**
 * A threshold is no longer crossed.
 *
 * @param alert the alert, with the last measurement, which is below the threshold
 */
public record JobAlertRecovered(JobAlert alert) implements JobAlertEvent {
}

package io.jobqueue.harness;

import io.jobqueue.JobType;

/**
 * A payload.
 *
 * @param text its content
 */
@JobType("mail")
public record Mail(String text) {
}

package io.jobqueue.boot.autoconfigure;

import jakarta.validation.constraints.NotBlank;

/**
 * A payload.
 */
record Greeting(@NotBlank String firstName) {
}

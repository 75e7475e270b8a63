package io.jobqueue.boot.endpoint;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Why a request was refused.
 *
 * @param reason the reason, for programs
 * @param message what is wrong and what to do
 */
record FailureDescriptor(String reason, @Nullable String message) implements OperationResponseBody {
}

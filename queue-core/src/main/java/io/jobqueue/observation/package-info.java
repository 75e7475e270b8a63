/**
 * Observes enqueued and running jobs, for tracing, and calls interceptors. The
 * conventions and contexts are API; {@code Interceptors} is not.
 */
@NullMarked
package io.jobqueue.observation;

import org.jspecify.annotations.NullMarked;

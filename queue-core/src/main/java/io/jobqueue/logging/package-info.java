/**
 * What log lines look like: the MDC and the steps of a job, durations and names as text,
 * the nearest name to a misspelt one, and which failures are logged. Not API.
 */
@NullMarked
package io.jobqueue.logging;

import org.jspecify.annotations.NullMarked;

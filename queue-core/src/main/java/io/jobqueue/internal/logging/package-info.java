/**
 * Formats log lines: MDC entries and steps of jobs, durations, names, stack traces, and
 * the selection of failures to log. Not API.
 */
@NullMarked
package io.jobqueue.internal.logging;

import org.jspecify.annotations.NullMarked;

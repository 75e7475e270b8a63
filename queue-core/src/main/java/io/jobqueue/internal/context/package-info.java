/**
 * Propagates MDC entries and thread-local values from the thread that enqueues a job to
 * the thread that runs it. Not API.
 */
@NullMarked
package io.jobqueue.internal.context;

import org.jspecify.annotations.NullMarked;

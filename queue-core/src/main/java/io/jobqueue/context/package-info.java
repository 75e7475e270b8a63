/**
 * Carries MDC entries and thread locals from the thread that enqueues a job to the thread
 * that handles it. Not API.
 */
@NullMarked
package io.jobqueue.context;

import org.jspecify.annotations.NullMarked;

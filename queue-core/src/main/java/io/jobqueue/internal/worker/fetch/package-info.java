/**
 * Decides which jobs a worker claims, and when, with cursors, polls, poll turns,
 * admissions and queue outages. Not API.
 */
@NullMarked
package io.jobqueue.internal.worker.fetch;

import org.jspecify.annotations.NullMarked;

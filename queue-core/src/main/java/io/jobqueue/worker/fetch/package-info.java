/**
 * Decides which jobs to claim, and when: cursors, polls, turns, admissions, outages. Not
 * API.
 */
@NullMarked
package io.jobqueue.worker.fetch;

import org.jspecify.annotations.NullMarked;

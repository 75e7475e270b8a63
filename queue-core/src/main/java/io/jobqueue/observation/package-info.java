/**
 * Observations of what is enqueued and what runs, for tracing: API for those who replace
 * a convention.
 */
@NullMarked
package io.jobqueue.observation;

import org.jspecify.annotations.NullMarked;

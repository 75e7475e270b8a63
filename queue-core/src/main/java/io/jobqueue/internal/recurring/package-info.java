/**
 * Enqueues the jobs of schedules: reads their definitions, computes their ticks, and
 * enqueues one job for each tick over all nodes. Not API.
 */
@NullMarked
package io.jobqueue.internal.recurring;

import org.jspecify.annotations.NullMarked;

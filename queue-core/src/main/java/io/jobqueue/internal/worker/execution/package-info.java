/**
 * Runs claimed jobs: buffers them by queue, starts handlers, bounds their run time and
 * decides the outcome of each attempt. Not API.
 */
@NullMarked
package io.jobqueue.internal.worker.execution;

import org.jspecify.annotations.NullMarked;

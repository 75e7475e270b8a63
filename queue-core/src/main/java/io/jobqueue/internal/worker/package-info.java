/**
 * Runs the worker of one node from start to stop: claims, handlers, completions and
 * heartbeats. Not API.
 */
@NullMarked
package io.jobqueue.internal.worker;

import org.jspecify.annotations.NullMarked;

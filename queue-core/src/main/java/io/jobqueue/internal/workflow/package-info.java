/**
 * Workflows: starts instances, begins and skips their steps, and keeps the results of
 * steps. Not API.
 */
@NullMarked
package io.jobqueue.internal.workflow;

import org.jspecify.annotations.NullMarked;

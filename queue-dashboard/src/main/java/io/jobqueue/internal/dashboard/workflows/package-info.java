/**
 * Workflows, their instances and the steps of these. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.workflows;

import org.jspecify.annotations.NullMarked;

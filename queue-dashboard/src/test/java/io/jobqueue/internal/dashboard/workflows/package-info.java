/**
 * Tests of workflows and their instances.
 */
@NullMarked
package io.jobqueue.internal.dashboard.workflows;

import org.jspecify.annotations.NullMarked;

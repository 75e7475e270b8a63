/**
 * Tests of workflows.
 */
@NullMarked
package io.jobqueue.internal.workflow;

import org.jspecify.annotations.NullMarked;

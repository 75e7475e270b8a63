/**
 * Tests of the recurring.
 */
@NullMarked
package io.jobqueue.internal.dashboard.recurring;

import org.jspecify.annotations.NullMarked;

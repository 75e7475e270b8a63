/**
 * Tests of the batches.
 */
@NullMarked
package io.jobqueue.internal.dashboard.batches;

import org.jspecify.annotations.NullMarked;

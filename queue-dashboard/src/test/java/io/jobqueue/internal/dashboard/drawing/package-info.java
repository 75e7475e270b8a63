/**
 * Tests of drawings.
 */
@NullMarked
package io.jobqueue.internal.dashboard.drawing;

import org.jspecify.annotations.NullMarked;

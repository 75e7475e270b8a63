/**
 * Tests of the overview.
 */
@NullMarked
package io.jobqueue.internal.dashboard.overview;

import org.jspecify.annotations.NullMarked;

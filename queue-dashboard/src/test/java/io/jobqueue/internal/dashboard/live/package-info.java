/**
 * Tests of the stream that refreshes pages.
 */
@NullMarked
package io.jobqueue.internal.dashboard.live;

import org.jspecify.annotations.NullMarked;

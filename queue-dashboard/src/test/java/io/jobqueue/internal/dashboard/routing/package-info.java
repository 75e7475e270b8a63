/**
 * Tests of what all responses have in common.
 */
@NullMarked
package io.jobqueue.internal.dashboard.routing;

import org.jspecify.annotations.NullMarked;

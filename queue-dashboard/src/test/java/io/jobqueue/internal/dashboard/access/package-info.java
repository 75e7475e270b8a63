/**
 * Tests of the access to the dashboard.
 */
@NullMarked
package io.jobqueue.internal.dashboard.access;

import org.jspecify.annotations.NullMarked;

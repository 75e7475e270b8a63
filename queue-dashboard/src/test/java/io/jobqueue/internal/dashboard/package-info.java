/**
 * Tests of the dashboard as a whole, and what tests of its pages share.
 */
@NullMarked
package io.jobqueue.internal.dashboard;

import org.jspecify.annotations.NullMarked;

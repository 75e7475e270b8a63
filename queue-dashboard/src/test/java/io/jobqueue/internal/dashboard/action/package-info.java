/**
 * Tests of the package.
 */
@NullMarked
package io.jobqueue.internal.dashboard.action;

import org.jspecify.annotations.NullMarked;

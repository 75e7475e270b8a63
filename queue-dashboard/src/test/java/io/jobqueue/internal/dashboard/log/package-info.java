/**
 * Tests of the package.
 */
@NullMarked
package io.jobqueue.internal.dashboard.log;

import org.jspecify.annotations.NullMarked;

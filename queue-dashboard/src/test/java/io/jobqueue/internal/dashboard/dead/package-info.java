/**
 * Tests of the package.
 */
@NullMarked
package io.jobqueue.internal.dashboard.dead;

import org.jspecify.annotations.NullMarked;

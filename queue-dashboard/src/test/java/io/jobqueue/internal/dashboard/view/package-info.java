/**
 * Tests of what pages share.
 */
@NullMarked
package io.jobqueue.internal.dashboard.view;

import org.jspecify.annotations.NullMarked;

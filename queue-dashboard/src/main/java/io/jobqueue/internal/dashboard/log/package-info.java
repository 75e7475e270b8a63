/**
 * The page of the operator log. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.log;

import org.jspecify.annotations.NullMarked;

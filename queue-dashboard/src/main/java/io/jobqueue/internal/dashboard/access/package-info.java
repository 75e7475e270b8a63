/**
 * Which requests the dashboard answers, and which of them may change something. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.access;

import org.jspecify.annotations.NullMarked;

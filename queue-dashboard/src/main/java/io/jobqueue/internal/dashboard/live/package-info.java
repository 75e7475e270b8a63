/**
 * The stream that lets open pages refresh when something has changed. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.live;

import org.jspecify.annotations.NullMarked;

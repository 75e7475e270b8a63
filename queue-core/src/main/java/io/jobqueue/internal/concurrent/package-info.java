/**
 * Named threads, timers and background tasks. Not API.
 */
@NullMarked
package io.jobqueue.internal.concurrent;

import org.jspecify.annotations.NullMarked;

/**
 * Threads and timers. Not API.
 */
@NullMarked
package io.jobqueue.concurrent;

import org.jspecify.annotations.NullMarked;

/**
 * Crashes at every step between enqueue and completion.
 */
@NullMarked
package io.jobqueue.crash;

import org.jspecify.annotations.NullMarked;

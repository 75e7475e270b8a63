/**
 * Crashes at every step between enqueue and completion.
 */
@NullMarked
package io.jobqueue.recovery;

import org.jspecify.annotations.NullMarked;

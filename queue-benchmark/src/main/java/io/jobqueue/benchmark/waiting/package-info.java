/**
 * Many handlers that wait.
 */
@NullMarked
package io.jobqueue.benchmark.waiting;

import org.jspecify.annotations.NullMarked;

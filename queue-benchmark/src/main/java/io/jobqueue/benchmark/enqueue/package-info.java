/**
 * How fast jobs are enqueued, in transactions and in bulk. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.enqueue;

import org.jspecify.annotations.NullMarked;

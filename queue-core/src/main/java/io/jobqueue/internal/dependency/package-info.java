/**
 * Releases and ends jobs that wait for predecessors, and finishes batches. Not API.
 */
@NullMarked
package io.jobqueue.internal.dependency;

import org.jspecify.annotations.NullMarked;

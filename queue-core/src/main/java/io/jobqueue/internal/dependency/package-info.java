/**
 * Releases and ends jobs that wait for predecessors. Not API.
 */
@NullMarked
package io.jobqueue.internal.dependency;

import org.jspecify.annotations.NullMarked;

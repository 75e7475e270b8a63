/**
 * How fast a backlog goes, and what might slow that down. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.drain;

import org.jspecify.annotations.NullMarked;

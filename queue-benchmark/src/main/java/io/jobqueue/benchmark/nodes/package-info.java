/**
 * Several worker processes. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.nodes;

import org.jspecify.annotations.NullMarked;

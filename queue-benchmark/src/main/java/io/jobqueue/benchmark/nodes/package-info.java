/**
 * Several worker processes, and small ones. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.nodes;

import org.jspecify.annotations.NullMarked;

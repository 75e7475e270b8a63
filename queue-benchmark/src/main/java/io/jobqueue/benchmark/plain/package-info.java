/**
 * The floor: what an application without a queue does with plain SQL. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.plain;

import org.jspecify.annotations.NullMarked;

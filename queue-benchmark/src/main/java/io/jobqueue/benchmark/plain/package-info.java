/**
 * The floor: what somebody writes on plain SQL who has no queue. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.plain;

import org.jspecify.annotations.NullMarked;

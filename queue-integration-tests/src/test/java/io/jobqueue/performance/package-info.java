/**
 * Limits that noise cannot touch: bytes, buffers and statements instead of times.
 */
@NullMarked
package io.jobqueue.performance;

import org.jspecify.annotations.NullMarked;

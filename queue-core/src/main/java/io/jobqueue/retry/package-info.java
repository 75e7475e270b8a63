/**
 * Retry policies: how long to wait after which failure. Not API.
 */
@NullMarked
package io.jobqueue.retry;

import org.jspecify.annotations.NullMarked;

/**
 * Finds {@code @JobHandler} methods, checks their signatures and invokes them. Not API.
 */
@NullMarked
package io.jobqueue.internal.handler;

import org.jspecify.annotations.NullMarked;

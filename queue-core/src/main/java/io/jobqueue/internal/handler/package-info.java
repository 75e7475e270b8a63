/**
 * Finds the methods that handle jobs, checks their signatures and invokes them; makes
 * jobs of the calls of {@code @AsyncJob} methods. Not API.
 */
@NullMarked
package io.jobqueue.internal.handler;

import org.jspecify.annotations.NullMarked;

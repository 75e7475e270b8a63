/**
 * Calls the application's interceptors. Not API.
 */
@NullMarked
package io.jobqueue.interceptor;

import org.jspecify.annotations.NullMarked;

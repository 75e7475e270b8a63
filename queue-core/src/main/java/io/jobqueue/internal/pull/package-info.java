/**
 * Pulls jobs for threads of the application, with the fetcher of the worker. Not API.
 */
@NullMarked
package io.jobqueue.internal.pull;

import org.jspecify.annotations.NullMarked;

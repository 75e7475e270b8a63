/**
 * Jobs that threads of the application take by themselves, claimed by the worker's
 * fetcher. Not API.
 */
@NullMarked
package io.jobqueue.pull;

import org.jspecify.annotations.NullMarked;

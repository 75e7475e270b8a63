/**
 * What operators can do about jobs that are there. Not API.
 */
@NullMarked
package io.jobqueue.operations;

import org.jspecify.annotations.NullMarked;

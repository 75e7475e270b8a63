/**
 * Tells the application's listeners what happened to jobs. Not API.
 */
@NullMarked
package io.jobqueue.event;

import org.jspecify.annotations.NullMarked;

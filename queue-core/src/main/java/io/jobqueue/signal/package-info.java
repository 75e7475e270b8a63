/**
 * How a commit reaches idle workers: within this JVM at once, on other nodes through the
 * database. Not API.
 */
@NullMarked
package io.jobqueue.signal;

import org.jspecify.annotations.NullMarked;

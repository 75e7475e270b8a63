/**
 * Wakes idle workers after a commit: in this JVM directly, on other nodes with signals
 * through the database. Not API.
 */
@NullMarked
package io.jobqueue.internal.signal;

import org.jspecify.annotations.NullMarked;

/**
 * The operations on stored jobs: finding, counting and changing them one by one or in
 * bulk, pausing queues, and the audit log. Not API.
 */
@NullMarked
package io.jobqueue.internal.operations;

import org.jspecify.annotations.NullMarked;

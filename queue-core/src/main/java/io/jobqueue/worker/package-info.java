/**
 * One node's loop: claim, run, record, heartbeat. Not API.
 */
@NullMarked
package io.jobqueue.worker;

import org.jspecify.annotations.NullMarked;

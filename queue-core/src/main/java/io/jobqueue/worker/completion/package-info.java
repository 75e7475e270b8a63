/**
 * Records the outcomes of jobs in batches, and notifies the log, meters, events and other
 * workers of them. Not API.
 */
@NullMarked
package io.jobqueue.worker.completion;

import org.jspecify.annotations.NullMarked;

/**
 * Records the outcomes of jobs in batches and passes them to the log, meters, application
 * events and other workers. Not API.
 */
@NullMarked
package io.jobqueue.internal.worker.completion;

import org.jspecify.annotations.NullMarked;

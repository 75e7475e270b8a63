/**
 * Batches and their progress. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.batches;

import org.jspecify.annotations.NullMarked;

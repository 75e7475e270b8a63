/**
 * The overview: each queue and what it holds. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.overview;

import org.jspecify.annotations.NullMarked;

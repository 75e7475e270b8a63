/**
 * The page of dead jobs: their errors, and what can be done about them. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.dead;

import org.jspecify.annotations.NullMarked;

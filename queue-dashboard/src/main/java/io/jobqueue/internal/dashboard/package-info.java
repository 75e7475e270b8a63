/**
 * The dashboard: what its pages have in common with its frame. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard;

import org.jspecify.annotations.NullMarked;

/**
 * Renders pages, and caches what they read from the database. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.view;

import org.jspecify.annotations.NullMarked;

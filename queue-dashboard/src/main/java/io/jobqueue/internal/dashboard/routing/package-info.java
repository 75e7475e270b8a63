/**
 * Routes requests below the path of the dashboard to its pages. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.routing;

import org.jspecify.annotations.NullMarked;

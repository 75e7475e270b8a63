/**
 * Style sheets and scripts of the pages. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.asset;

import org.jspecify.annotations.NullMarked;

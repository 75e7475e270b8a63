/**
 * What keeps the tables in order: the reaper and the purge. Not API.
 */
@NullMarked
package io.jobqueue.maintenance;

import org.jspecify.annotations.NullMarked;

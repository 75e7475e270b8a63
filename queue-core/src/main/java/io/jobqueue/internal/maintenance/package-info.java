/**
 * Background maintenance: reaps lost jobs, purges the archive, sweeps keys, and warns of
 * unserved queues, queue sizes and old snapshots. Not API.
 */
@NullMarked
package io.jobqueue.internal.maintenance;

import org.jspecify.annotations.NullMarked;

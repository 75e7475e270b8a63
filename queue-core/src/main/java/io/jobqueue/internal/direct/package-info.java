/**
 * Runs jobs of sources outside the database, such as the records of a topic, in their
 * handlers. Only those become rows that do not succeed at once.
 */
@NullMarked
package io.jobqueue.internal.direct;

import org.jspecify.annotations.NullMarked;

/**
 * What this node reads from the database when meters or health are read, and how it is
 * expressed. Not API.
 */
@NullMarked
package io.jobqueue.boot.reading;

import org.jspecify.annotations.NullMarked;

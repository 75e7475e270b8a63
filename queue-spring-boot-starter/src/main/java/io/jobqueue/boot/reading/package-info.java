/**
 * What this node reads from the database when somebody looks at it, and how it is
 * expressed. Not API.
 */
@NullMarked
package io.jobqueue.boot.reading;

import org.jspecify.annotations.NullMarked;

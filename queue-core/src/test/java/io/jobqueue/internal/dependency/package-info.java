/**
 * Jobs that wait for others, in random graphs beside a reference.
 */
@NullMarked
package io.jobqueue.internal.dependency;

import org.jspecify.annotations.NullMarked;

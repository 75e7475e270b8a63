/**
 * The sample application; never a dependency of anything.
 */
@NullMarked
package io.jobqueue.sample;

import org.jspecify.annotations.NullMarked;

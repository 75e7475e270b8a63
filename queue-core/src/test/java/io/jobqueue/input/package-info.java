/**
 * What comes from outside, and is not what anybody hoped for.
 */
@NullMarked
package io.jobqueue.input;

import org.jspecify.annotations.NullMarked;

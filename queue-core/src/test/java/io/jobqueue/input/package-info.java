/**
 * Input from outside that is not valid.
 */
@NullMarked
package io.jobqueue.input;

import org.jspecify.annotations.NullMarked;

/**
 * The examples of the documentation, as code that compiles and runs.
 */
@NullMarked
package io.jobqueue.docs;

import org.jspecify.annotations.NullMarked;

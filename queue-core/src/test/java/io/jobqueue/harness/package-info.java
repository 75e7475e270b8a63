/**
 * Nodes wired by hand, and what else tests of several packages need.
 */
@NullMarked
package io.jobqueue.harness;

import org.jspecify.annotations.NullMarked;

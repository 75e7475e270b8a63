/**
 * A mixed load that arrives while it is worked off. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.load;

import org.jspecify.annotations.NullMarked;

/**
 * Measures this build beside that of another commit. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.against;

import org.jspecify.annotations.NullMarked;

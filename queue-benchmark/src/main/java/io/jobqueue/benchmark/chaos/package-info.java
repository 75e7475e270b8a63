/**
 * Breaks what can break under load, and checks what became of the jobs. Not API.
 */
@NullMarked
package io.jobqueue.benchmark.chaos;

import org.jspecify.annotations.NullMarked;

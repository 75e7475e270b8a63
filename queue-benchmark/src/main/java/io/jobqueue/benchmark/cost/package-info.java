/**
 * What jobs cost the server: its processor time and its write-ahead log.
 */
@NullMarked
package io.jobqueue.benchmark.cost;

import org.jspecify.annotations.NullMarked;

/**
 * What relays and consumers both say of topics and records.
 */
@NullMarked
package io.jobqueue.internal.kafka.record;

import org.jspecify.annotations.NullMarked;

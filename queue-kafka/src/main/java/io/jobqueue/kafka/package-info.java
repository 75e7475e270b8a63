/**
 * What applications exclude by name of the module for Kafka.
 */
@NullMarked
package io.jobqueue.kafka;

import org.jspecify.annotations.NullMarked;

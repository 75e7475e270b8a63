/**
 * Brings along what the profile {@code kafka} needs: a broker, and a second application
 * that reads from it.
 */
@NullMarked
package io.jobqueue.sample.kafka;

import org.jspecify.annotations.NullMarked;

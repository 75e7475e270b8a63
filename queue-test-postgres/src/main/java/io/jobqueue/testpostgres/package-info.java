/**
 * Starts PostgreSQL servers, Kafka brokers and child JVMs for the tests of this build.
 * This module is not published.
 */
@NullMarked
package io.jobqueue.testpostgres;

import org.jspecify.annotations.NullMarked;

/**
 * Makes the beans of the queue in a Spring Boot application: the configurations and their
 * adapters. Not API.
 */
@NullMarked
package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

/**
 * Wires the queue into a Spring Boot application: auto-configurations, settings and what
 * is said about mistakes at start. Not API.
 */
@NullMarked
package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

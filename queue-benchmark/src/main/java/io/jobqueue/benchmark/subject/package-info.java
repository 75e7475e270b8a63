/**
 * What is measured: a database, and applications of the queue in this JVM and in others.
 * Not API.
 */
@NullMarked
package io.jobqueue.benchmark.subject;

import org.jspecify.annotations.NullMarked;

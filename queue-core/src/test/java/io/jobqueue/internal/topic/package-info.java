/**
 * Tests of topics.
 */
@NullMarked
package io.jobqueue.internal.topic;

import org.jspecify.annotations.NullMarked;

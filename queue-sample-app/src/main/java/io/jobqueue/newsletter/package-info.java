/**
 * A second application, which receives the signups of the sample through Kafka.
 */
@NullMarked
package io.jobqueue.newsletter;

import org.jspecify.annotations.NullMarked;

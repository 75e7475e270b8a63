/**
 * A second application, which hears of the signups of the sample through Kafka.
 */
@NullMarked
package io.jobqueue.newsletter;

import org.jspecify.annotations.NullMarked;

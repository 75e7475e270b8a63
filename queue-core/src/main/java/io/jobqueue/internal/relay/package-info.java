/**
 * Relays: the jobs of a queue go to a broker instead of a handler, in batches and with
 * their payloads as they are stored. A module that knows the broker implements
 * {@link io.jobqueue.internal.relay.RelayTarget}. Not API.
 */
@NullMarked
package io.jobqueue.internal.relay;

import org.jspecify.annotations.NullMarked;

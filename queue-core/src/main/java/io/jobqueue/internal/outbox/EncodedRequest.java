package io.jobqueue.internal.outbox;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;

/**
 * A request for a job whose payload is encoded already, such as that of a record of a
 * broker.
 *
 * @param queue the name of the queue
 * @param type the name of the type
 * @param payload the payload as it is stored
 * @param headers the headers
 * @param key the unique key
 * @param orderingKey the ordering key, {@code null} for none
 * @param group the name of the group that the job is counted in, {@code null} for none
 * @param maxAttempts the maximum number of attempts, {@code null} for that of the type or
 * the queue
 */
public record EncodedRequest(String queue, String type, Encoded payload, Map<String, String> headers, UniqueKey key,
		@Nullable String orderingKey, @Nullable String group, @Nullable Integer maxAttempts) {

}

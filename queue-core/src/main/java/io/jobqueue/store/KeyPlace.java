package io.jobqueue.store;

/**
 * Where a unique key stands among all keys.
 *
 * @param queue its queue
 * @param key the key
 */
public record KeyPlace(String queue, String key) {
}

package io.jobqueue.store;

/**
 * What the purge did at once.
 *
 * @param jobs how many jobs were removed
 * @param keys whether there are unique keys to look after
 */
public record PurgePass(int jobs, boolean keys) {
}

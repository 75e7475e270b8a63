package io.jobqueue.store;

/**
 * The unfinished jobs of one queue, priority and type that have failed.
 *
 * @param tier the queue and priority
 * @param type the name of the type
 * @param maxFailures the highest number of failed attempts of a job
 */
public record TypeFailures(Tier tier, String type, int maxFailures) {
}

package io.jobqueue.store;

/**
 * The unfinished jobs of one queue, priority and type that have failed.
 *
 * @param tier the queue and priority
 * @param type the name of the type
 * @param maxFailures the highest number of failed attempts of a job
 * @param unread at most how many failed attempts those jobs of the tier have that were
 * not looked at, of any type; 0 if all were looked at
 */
public record TypeFailures(Tier tier, String type, int maxFailures, int unread) {
}

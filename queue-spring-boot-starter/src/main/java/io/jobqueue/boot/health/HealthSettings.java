package io.jobqueue.boot.health;

import java.time.Duration;

/**
 * When a node counts as well.
 *
 * @param startGrace how long after the start nothing makes it DOWN
 * @param toleratedOutage how long the database may leave the worker without an answer
 * @param refreshInterval how long a reading of the database is good for
 * @param alerts whether crossed thresholds make it DOWN
 */
public record HealthSettings(Duration startGrace, Duration toleratedOutage, Duration refreshInterval, boolean alerts) {
}

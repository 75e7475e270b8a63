package io.jobqueue.store;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A part of a tier that others may have claimed already, so that a worker need not look
 * there.
 *
 * @param tier the tier
 * @param from where it begins
 * @param since claims that were made earlier do not count: a job may have become ready
 * behind them
 * @param limit where it ends, {@code null} for no end: a job may have become ready there
 */
public record Stretch(Tier tier, Position from, Instant since, @Nullable Position limit) {
}

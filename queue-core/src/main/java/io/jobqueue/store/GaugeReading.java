package io.jobqueue.store;

import java.util.List;

/**
 * What gauges show.
 *
 * @param tiers a reading for each queue and priority that holds unfinished jobs
 * @param complete whether no queue was left out for its cost
 */
public record GaugeReading(List<TierReading> tiers, boolean complete) {
}

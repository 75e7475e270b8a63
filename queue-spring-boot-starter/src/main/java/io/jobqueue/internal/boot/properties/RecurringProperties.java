package io.jobqueue.internal.boot.properties;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

import io.jobqueue.Misfire;
import io.jobqueue.Overlap;

/**
 * A schedule, {@code jobqueue.recurring.<name>}, that enqueues jobs for an existing
 * handler.
 *
 * @param enabled Whether the schedule has ticks.
 * @param cron Cron expression in six fields: second, minute, hour, day of month, month
 * and day of week; - switches the schedule off.
 * @param fixedRate Time from one tick to the next, at least one second.
 * @param zone Time zone of the cron expression. Default: jobqueue.recurring-zone.
 * @param queue Queue of the jobs. Default: that of the type's only handler.
 * @param type Type of the jobs.
 * @param payload Payload of the jobs, as the properties of its class. Default: none.
 * @param misfire Jobs that are enqueued for missed ticks.
 * @param overlap Action of a tick while the job of an earlier tick is live.
 * @param jitter Maximum random delay of each job after its tick.
 */
public record RecurringProperties(@DefaultValue("true") boolean enabled, @Nullable String cron,
		@Nullable Duration fixedRate, @Nullable ZoneId zone, @Nullable String queue, @Nullable String type,
		@DefaultValue Map<String, Object> payload, @DefaultValue("once") Misfire misfire,
		@DefaultValue("skip") Overlap overlap, @DefaultValue("0s") Duration jitter) {

}

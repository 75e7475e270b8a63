package io.jobqueue.internal.dashboard.recurring;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of schedules.
 *
 * @param schedules the schedules, by name
 * @param next the position of the next page, {@code null} if there is none
 */
public record Schedules(List<Schedule> schedules, @Nullable String next) {

}

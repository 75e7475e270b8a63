package io.jobqueue.benchmark.chaos;

import io.jobqueue.JobType;

/**
 * The payload of the jobs of schedules that are saved at run time.
 *
 * @param schedule the name of the schedule
 */
@JobType("tick")
record Tick(String schedule) {

}

package io.jobqueue.benchmark.transactional;

import io.jobqueue.JobType;

/**
 * The payload of jobs that insert a business row.
 *
 * @param number a number
 */
@JobType(queue = Purchase.QUEUE)
record Purchase(long number) {

	static final String QUEUE = "purchases";

}

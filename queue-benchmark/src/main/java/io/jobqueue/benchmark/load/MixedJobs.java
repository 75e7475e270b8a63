package io.jobqueue.benchmark.load;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.benchmark.subject.ManyQueues;
import io.jobqueue.benchmark.subject.Work;

/**
 * Jobs of ten queues and four priorities, whose handlers take 0 to 50 ms. One in twenty
 * fails first. Their numbers decide, so that all runs have the same jobs.
 */
final class MixedJobs {

	static final int QUEUES = 10;

	static final List<Priority> PRIORITIES = List.of(Priority.INTERACTIVE, Priority.USER_VISIBLE, Priority.EVENTUAL,
			Priority.REPORTING);

	private static final int LONGEST_MILLIS = 50;

	private static final int FAILING = 20;

	private MixedJobs() {
	}

	/**
	 * Make requests.
	 * @param from the number of the first
	 * @param to the number after the last
	 */
	static List<JobRequest> requests(long from, long to) {
		return LongStream.range(from, to).mapToObj(MixedJobs::request).toList();
	}

	/**
	 * Each property comes from other bits of a random number that the job's number seeds.
	 */
	private static JobRequest request(long number) {
		SplittableRandom random = new SplittableRandom(number);
		Work work = new Work(random.nextInt(LONGEST_MILLIS + 1), (random.nextInt(FAILING) == 0) ? 1 : 0);
		Priority priority = PRIORITIES.get(random.nextInt(PRIORITIES.size()));
		return JobRequest.of(ManyQueues.name(random.nextInt(QUEUES)), work).priority(priority);
	}

}

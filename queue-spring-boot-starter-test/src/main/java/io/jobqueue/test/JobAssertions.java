package io.jobqueue.test;

/**
 * Entry point of assertions on jobs.
 */
public final class JobAssertions {

	private JobAssertions() {
	}

	/**
	 * Begin assertions on the jobs of the database, as the connection of the calling
	 * thread sees them: uncommitted jobs of its own transaction are included. They are
	 * read once, by this call.
	 * @param jobs the jobs
	 * @return the assertion
	 */
	public static EnqueuedJobsAssert assertThat(TestJobs jobs) {
		return new EnqueuedJobsAssert(jobs.enqueued(), jobs::type);
	}

	/**
	 * Begin assertions on the jobs that a recording queue has taken.
	 * @param queue the queue
	 * @return the assertion
	 */
	public static EnqueuedJobsAssert assertThat(RecordingJobQueue queue) {
		return new EnqueuedJobsAssert(queue.enqueued(), queue::type);
	}

}

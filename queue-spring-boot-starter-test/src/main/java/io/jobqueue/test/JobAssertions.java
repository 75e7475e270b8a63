package io.jobqueue.test;

/**
 * Entry point of assertions on jobs. AssertJ's own {@code assertThat} returns the same
 * for {@link TestJobs} and {@link RecordingJobQueue}, so that no import of this class is
 * needed.
 */
public final class JobAssertions {

	private JobAssertions() {
	}

	/**
	 * Begin assertions on the jobs of the database.
	 * @param jobs the jobs
	 * @return the assertion
	 * @see TestJobs#assertThat()
	 */
	public static EnqueuedJobsAssert assertThat(TestJobs jobs) {
		return jobs.assertThat();
	}

	/**
	 * Begin assertions on the jobs that a recording queue has taken.
	 * @param queue the queue
	 * @return the assertion
	 */
	public static EnqueuedJobsAssert assertThat(RecordingJobQueue queue) {
		return queue.assertThat();
	}

}

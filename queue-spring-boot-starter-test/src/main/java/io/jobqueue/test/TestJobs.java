package io.jobqueue.test;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.JobState;

/**
 * Runs the jobs of a test, on the calling thread and only when the test calls a method.
 * The context of every Spring test that has the job queue has a bean of this type. It
 * sends no statement and opens no connection before its first use.
 * <p>
 * Within a transaction of the test, the claim, the handler and the outcome of a run are
 * part of that transaction, and a failed handler is rolled back to a savepoint. Jobs that
 * the test has enqueued and not committed run as well. Outside a transaction, each run
 * commits as in production.
 * <p>
 * A run claims its job with the attempts, keys and pauses of a worker and calls all
 * interceptors. A handler that takes several jobs is called with one job at a time.
 * Limits over all workers apply only with {@link AutoConfigureTestJobs#limits}. A
 * cancellation by another thread is passed to the handler at once, and interrupts it
 * after {@code jobqueue.worker.cancel-grace}. No run is interrupted after its maximum run
 * time.
 */
public final class TestJobs implements AssertProvider<EnqueuedJobsAssert> {

	private static final @Nullable String ANYWHERE = null;

	private final ObjectProvider<TestJobsDelegate> delegate;

	private final TestTime time;

	private final boolean worker;

	TestJobs(ObjectProvider<TestJobsDelegate> delegate, TestTime time, boolean worker) {
		this.delegate = delegate;
		this.time = time;
		this.worker = worker;
	}

	/**
	 * Run the next due job of all queues: the most urgent one and, of these, the one that
	 * is due first.
	 * @return the outcome of the run
	 * @throws Exception the exception of the handler, after the failed attempt is
	 * recorded
	 * @throws AssertionError if no job is due
	 */
	public JobOutcome runNext() throws Exception {
		return runs().next(ANYWHERE);
	}

	/**
	 * Run the next due job of a queue.
	 * @param queue the name of the queue
	 * @return the outcome of the run
	 * @throws Exception the exception of the handler, after the failed attempt is
	 * recorded
	 * @throws AssertionError if no job of the queue is due
	 */
	public JobOutcome runNext(String queue) throws Exception {
		return runs().next(queue);
	}

	/**
	 * Run all due jobs, and those that they enqueue, until no job is due. A failure does
	 * not stop the other jobs.
	 * @return the outcomes of the runs, in their order
	 * @throws Exception the first exception of a handler, with the others suppressed
	 * @throws AssertionError if jobs enqueue each other without an end; the message names
	 * their type
	 */
	public List<JobOutcome> runAll() throws Exception {
		return runs().all((id) -> true);
	}

	/**
	 * Move the time of this test ahead: delays, retries, windows of keys and retentions
	 * of the archive end, and jobs that expire are cancelled. Inline jobs that become due
	 * run.
	 * <p>
	 * Schedules tick only with {@link AutoConfigureTestJobs#recurring}. The first call
	 * stores the declared ones. The time then moves from tick to tick, and each tick
	 * enqueues its job, as if the job of the tick before had ended.
	 * <p>
	 * The database's own clock, the view {@code jobqueue_jobs} and {@link Clock} beans do
	 * not move, except {@link #clock()}. Threads of the application use the time that was
	 * set last.
	 * @param by the time, zero or more, at most 36,500 days in all
	 * @throws AssertionError if schedules have more than 1,000 ticks in that time
	 * @throws IllegalStateException if a background worker runs, whose time would not
	 * move
	 */
	public void advance(Duration by) {
		requireNoWorker();
		this.delegate.getObject().advance(by);
	}

	/**
	 * Move the time ahead to the next tick of a schedule, like {@link #advance}, and tick
	 * it: its job is enqueued, unless the job of an earlier tick is live and its overlap
	 * is {@code SKIP}. Other schedules do not tick. Declared schedules are stored first.
	 * @param schedule the name of the schedule
	 * @throws AssertionError if there is no such schedule, or it has no next tick
	 * @throws IllegalStateException if a background worker runs, whose time would not
	 * move
	 */
	public void tick(String schedule) {
		requireNoWorker();
		this.delegate.getObject().tick(schedule);
	}

	private void requireNoWorker() {
		if (this.worker) {
			throw new IllegalStateException(
					"A background worker runs: time cannot move. Remove 'worker = true', 'jobqueue.test.worker' or 'jobqueue.worker.enabled' from this test");
		}
	}

	/**
	 * Return the clock of the tests, which {@link #advance} moves. Declare it as a bean
	 * for code of the application that takes a {@link Clock}.
	 * @return the clock, in UTC
	 */
	public Clock clock() {
		return this.time.clock();
	}

	/**
	 * Run a job twice, as if a crash after the first run had lost its outcome. This shows
	 * whether its handler is idempotent. The job need not be due.
	 * @param id the id of a job that has not run yet
	 * @return the outcome of the second run
	 * @throws Exception the exception of the handler
	 * @throws AssertionError if the job is not live, has only one attempt left, or is
	 * delivered at most once
	 */
	public JobOutcome runTwice(UUID id) throws Exception {
		return runs().twice(id);
	}

	/**
	 * Run the next due job of all queues up to a point, and simulate the end of the JVM
	 * there: the open transaction rolls back, and the claim stays and is reaped at once.
	 * The attempt counts.
	 * @param point the point
	 * @return the job after the crash: {@link JobState#READY}, or {@link JobState#DEAD}
	 * if it has no attempt left
	 * @throws Exception the exception of a handler that fails before the point
	 * @throws AssertionError if no job is due
	 * @throws io.jobqueue.JobQueueException within a transaction whose manager has no
	 * savepoints
	 */
	public JobOutcome crashAt(CrashPoint point) throws Exception {
		return runs().crash(point, ANYWHERE);
	}

	/**
	 * Run the next due job of a queue up to a point, and simulate the end of the JVM
	 * there.
	 * @param point the point
	 * @param queue the name of the queue
	 * @return the job after the crash
	 * @throws Exception the exception of a handler that fails before the point
	 * @throws AssertionError if no job of the queue is due
	 * @see #crashAt(CrashPoint)
	 */
	public JobOutcome crashAt(CrashPoint point, String queue) throws Exception {
		return runs().crash(point, queue);
	}

	/**
	 * Delete all jobs, live and archived, with their keys and windows, all schedules and
	 * instances of workflows, end the subscriptions to topics that no handler of this
	 * context declares, and resume all paused queues and types. Tests that commit call it
	 * before each test. A pause also ends with the test that made it. Within a
	 * transaction of the test, a second connection is used only if something is paused.
	 */
	public void deleteAll() {
		this.delegate.getObject().deleteAll();
	}

	/**
	 * Begin assertions on the jobs of the database, as the connection of the calling
	 * thread sees them: uncommitted jobs of its own transaction are included. They are
	 * read once, by this call. AssertJ's {@code assertThat(jobs)} calls this.
	 * @return the assertion
	 */
	@Override
	public EnqueuedJobsAssert assertThat() {
		TestJobsDelegate jobs = this.delegate.getObject();
		return new EnqueuedJobsAssert(jobs.enqueued(), jobs::type);
	}

	private JobRuns runs() {
		return this.delegate.getObject().runs();
	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;

import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.OnDuplicate;

/**
 * What is there when a key is used again, and what is then done: the table of the
 * documentation.
 */
enum Situation {

	NOTHING, DEAD, CANCELLED, SUCCEEDED, WINDOW_OVER, SCHEDULED, READY, RETRYING, RETRYING_WITH_A_FOLLOW_UP,
	FOLLOWING_ONE_THAT_IS_GONE, BEHIND_ANOTHER_OF_ITS_ORDERING_KEY, RUNNING, RUNNING_WITH_A_FOLLOW_UP, IN_THE_WINDOW;

	void arrange(KeyTestBase test) {
		switch (this) {
			case NOTHING -> {
			}
			case DEAD -> test.end(Outcomes.dead(test.addAndRun(KeyTestBase.LONG)));
			case CANCELLED -> test.cancel(test.addOld(KeyTestBase.LONG, KeyTestBase.LONG).id());
			case SUCCEEDED -> test.succeed(test.addAndRun(null));
			case WINDOW_OVER -> {
				IN_THE_WINDOW.arrange(test);
				test.endWindows();
			}
			case SCHEDULED -> test.addOld(Duration.ofDays(1), null);
			case READY -> test.addOld(Duration.ZERO, null);
			case RETRYING -> test.end(Outcomes.retried(test.addAndRun(null), Duration.ofDays(1)));
			case RETRYING_WITH_A_FOLLOW_UP -> test.end(Outcomes.retried(test.runAndRequeue(), Duration.ofDays(1)));
			case FOLLOWING_ONE_THAT_IS_GONE -> test.delete(test.runAndRequeue().id());
			case BEHIND_ANOTHER_OF_ITS_ORDERING_KEY -> test.addBehindAnother();
			case RUNNING -> test.addAndRun(null);
			case RUNNING_WITH_A_FOLLOW_UP -> test.runAndRequeue();
			case IN_THE_WINDOW -> test.succeed(test.addAndRun(KeyTestBase.LONG));
		}
	}

	Outcome outcome(OnDuplicate onDuplicate) {
		return switch (this) {
			case NOTHING, DEAD, CANCELLED, SUCCEEDED, WINDOW_OVER -> Outcome.ADDED;
			case SCHEDULED, READY, RETRYING, RETRYING_WITH_A_FOLLOW_UP, FOLLOWING_ONE_THAT_IS_GONE,
					BEHIND_ANOTHER_OF_ITS_ORDERING_KEY ->
				(onDuplicate == OnDuplicate.KEEP) ? Outcome.ALREADY_WAITING : Outcome.UPDATED;
			case RUNNING -> requeues(onDuplicate) ? Outcome.REQUEUED : Outcome.ALREADY_RUNNING;
			case RUNNING_WITH_A_FOLLOW_UP ->
				(onDuplicate == OnDuplicate.UPDATE) ? Outcome.UPDATED : RUNNING.outcome(onDuplicate);
			case IN_THE_WINDOW -> requeues(onDuplicate) ? Outcome.REQUEUED : Outcome.RECENTLY_SUCCEEDED;
		};
	}

	private static boolean requeues(OnDuplicate onDuplicate) {
		return onDuplicate == OnDuplicate.REQUEUE || onDuplicate == OnDuplicate.DEBOUNCE;
	}

	/**
	 * Return what is there after that.
	 */
	Situation after(OnDuplicate onDuplicate) {
		return switch (outcome(onDuplicate)) {
			case ADDED -> READY;
			case REQUEUED -> (this == IN_THE_WINDOW) ? READY : RUNNING_WITH_A_FOLLOW_UP;
			default -> this;
		};
	}

	boolean addsJob(OnDuplicate onDuplicate) {
		return switch (outcome(onDuplicate)) {
			case ADDED -> true;
			case REQUEUED -> this != RUNNING_WITH_A_FOLLOW_UP;
			default -> false;
		};
	}

}

package io.jobqueue.test;

import java.util.List;

import io.jobqueue.JobOperations;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.Notice;

/**
 * The pauses of queues and types. A pause commits at once, so that no rollback ends it:
 * it ends with the test instead.
 */
final class TestPauses implements JobSignals.Listener {

	private final JobOperations operations;

	private volatile boolean changed;

	TestPauses(JobOperations operations, JobSignals signals) {
		this.operations = operations;
		signals.subscribe(this);
	}

	@Override
	public void onNotice(Notice notice) {
		this.changed = this.changed || notice instanceof Notice.PausesChanged;
	}

	/**
	 * Send no statement if no pause has changed since the last call.
	 */
	void endChanged() {
		if (this.changed) {
			end(all());
		}
	}

	List<QueuePause> all() {
		return this.operations.pauses();
	}

	/**
	 * Send no statement if there are none.
	 */
	void end(List<QueuePause> pauses) {
		for (QueuePause pause : pauses) {
			if (pause.type() != null) {
				this.operations.resume(pause.queue(), pause.type());
			}
			else {
				this.operations.resume(pause.queue());
			}
		}
		this.changed = false;
	}

}

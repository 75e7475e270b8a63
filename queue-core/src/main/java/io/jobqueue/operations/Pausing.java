package io.jobqueue.operations;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.QueuePause;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.PauseStore;
import io.jobqueue.store.PauseTarget;

/**
 * Has queues paused and resumed.
 */
final class Pausing {

	private final PauseStore store;

	private final JobSignals signals;

	private final AuditLog log;

	Pausing(OperationParts parts, AuditLog log) {
		this.store = parts.pauses();
		this.signals = parts.signals();
		this.log = log;
	}

	List<QueuePause> pauses() {
		return this.store.pauses();
	}

	void pause(String queue, @Nullable String type) {
		Assert.isTrue(QueueNames.isValid(queue),
				() -> "'%s' is not a queue name: it must match %s".formatted(queue, QueueNames.PATTERN));
		done(Operation.of("pause"), queue, type, this.store.pause(new PauseTarget(queue, type), this.log.user()));
	}

	void resume(String queue, @Nullable String type) {
		done(Operation.of("resume"), queue, type, this.store.resume(new PauseTarget(queue, type)));
	}

	private void done(Operation operation, String queue, @Nullable String type, boolean changed) {
		if (changed) {
			this.signals.publishPauses();
			this.log.done(operation, (type != null) ? queue + "/" + type : queue);
		}
	}

}

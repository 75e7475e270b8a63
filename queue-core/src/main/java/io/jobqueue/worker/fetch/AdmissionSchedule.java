package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.AdmissionRules;

/**
 * When to admit jobs with an ordering or a limit key in each queue. A queue without a
 * signal or a scan that has found some costs no statement.
 */
final class AdmissionSchedule {

	private final JobStore store;

	private final Function<String, AdmissionRules> rules;

	private final Map<String, Deadline> deadlines = new HashMap<>();

	AdmissionSchedule(JobStore store, Function<String, AdmissionRules> rules) {
		this.store = store;
		this.rules = rules;
	}

	synchronized void openWithin(String queue, Duration time) {
		this.deadlines.computeIfAbsent(queue, (absent) -> new Deadline()).within(time);
	}

	/**
	 * Admit the jobs that are due. A job that arrives meanwhile may be admitted the next
	 * time only.
	 * @return what was admitted, {@code null} if nothing is due
	 */
	@Nullable AdmissionResult open(String queue) {
		if (!take(queue)) {
			return null;
		}
		AdmissionResult admission = this.store.admit(queue, this.rules.apply(queue));
		if (admission.nextDueIn() != null) {
			openWithin(queue, admission.nextDueIn());
		}
		return admission;
	}

	private synchronized boolean take(String queue) {
		Deadline deadline = this.deadlines.get(queue);
		boolean due = deadline != null && deadline.isDue();
		if (due) {
			this.deadlines.remove(queue);
		}
		return due;
	}

}

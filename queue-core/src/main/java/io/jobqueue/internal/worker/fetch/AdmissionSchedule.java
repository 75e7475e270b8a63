package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

/**
 * Schedules the admission of jobs with an ordering or a limit key, for each queue. No
 * statement is sent for a queue until a signal or a scan reports such jobs.
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
	 * Admit jobs of a queue if an admission is due. A job that arrives during this call
	 * may be admitted by the next one.
	 * @return the result, {@code null} if no admission is due
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

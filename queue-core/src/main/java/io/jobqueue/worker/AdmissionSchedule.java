package io.jobqueue.worker;

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
 * When jobs with an ordering or a limit key are to be admitted in each queue. Where
 * nobody has told of any, nobody is asked.
 */
final class AdmissionSchedule {

	private final JobStore store;

	private final Function<String, AdmissionRules> rules;

	private final Map<String, Deadline> alarms = new HashMap<>();

	AdmissionSchedule(JobStore store, Function<String, AdmissionRules> rules) {
		this.store = store;
		this.rules = rules;
	}

	synchronized void openWithin(String queue, Duration time) {
		this.alarms.computeIfAbsent(queue, (absent) -> new Deadline()).within(time);
	}

	/**
	 * Admit what is due. Whoever is told of meanwhile may be too late for that, and comes
	 * next time.
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
		Deadline alarm = this.alarms.get(queue);
		boolean due = alarm != null && alarm.isDue();
		if (due) {
			this.alarms.remove(queue);
		}
		return due;
	}

}

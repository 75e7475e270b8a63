package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.completion.RunOutcome;
import io.jobqueue.internal.worker.completion.WorkListener;

/**
 * Records the callbacks that it receives.
 */
final class RecordingListener implements WorkListener {

	final List<String> claims = new CopyOnWriteArrayList<>();

	final Map<UUID, Duration> waits = new ConcurrentHashMap<>();

	final Map<UUID, List<RunOutcome>> outcomes = new ConcurrentHashMap<>();

	final List<Duration> times = new CopyOnWriteArrayList<>();

	@Override
	public void claimed(String queue, Duration took) {
		this.claims.add(queue);
		this.times.add(took);
	}

	@Override
	public void begins(ClaimedJob job, Duration waited) {
		this.waits.put(job.id(), waited);
	}

	@Override
	public void ended(ClaimedJob job, RunOutcome outcome, Duration took) {
		this.outcomes.computeIfAbsent(job.id(), (id) -> new CopyOnWriteArrayList<>()).add(outcome);
		this.times.add(took);
	}

	List<RunOutcome> outcomes(UUID job) {
		return this.outcomes.getOrDefault(job, List.of());
	}

}

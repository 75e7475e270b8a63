package io.jobqueue.internal.worker.fetch;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.DueJob;
import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.JobStore.NewJobRequest;
import io.jobqueue.internal.store.JobStore.ServedQueue;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;

/**
 * Creates claim requests from the capacity of a sink, each with a new claim number.
 */
public final class ClaimRequests {

	private final Function<String, QueueSettings> settings;

	private final WorkerSettings worker;

	private volatile ServedTypes types;

	private final LongSupplier claims;

	/**
	 * Create a factory of requests.
	 * @param types the served types
	 * @param settings the settings of each queue
	 * @param worker the settings of the worker
	 * @param claims supplies the claim numbers
	 */
	public ClaimRequests(ServedTypes types, Function<String, QueueSettings> settings, WorkerSettings worker,
			LongSupplier claims) {
		this.types = types;
		this.settings = settings;
		this.worker = worker;
		this.claims = claims;
	}

	/**
	 * Serve other types from the next claim on.
	 * @param types the types
	 */
	public void serve(ServedTypes types) {
		this.types = types;
	}

	/**
	 * Return the queues, types and priorities for a scan of the backlog.
	 * @return the queues
	 */
	public List<ServedQueue> served() {
		return this.types.all()
			.entrySet()
			.stream()
			.map((entry) -> new ServedQueue(entry.getKey(), entry.getValue(), this.worker.minPriority(),
					this.worker.maxPriority()))
			.toList();
	}

	boolean isServed(Tier tier) {
		return isServed(tier.queue()) && tier.priority() >= this.worker.minPriority()
				&& tier.priority() <= this.worker.maxPriority();
	}

	boolean isServed(String queue) {
		return this.types.all().containsKey(queue);
	}

	AdmissionRules keyRules(String queue) {
		return this.settings.apply(queue).keys();
	}

	/**
	 * Return the requests for queues that share their capacity, without tiers that have
	 * no known job. A single queue has one request for all its tiers; several queues have
	 * one for each tier, ordered by priority and then by position, the longest due first.
	 */
	List<ClaimRequest> of(Map<String, Capacity> capacities, ClaimCursors cursors) {
		SortedMap<Tier, JobPosition> known = new TreeMap<>();
		for (Map.Entry<String, Capacity> each : capacities.entrySet()) {
			if (isServed(each.getKey())) {
				known.putAll(cursors.of(each.getKey(), each.getValue().maxPriority()));
			}
		}
		if (capacities.size() == 1 && !known.isEmpty()) {
			String queue = known.firstKey().queue();
			return List.of(request(queue, capacity(capacities, queue), known));
		}
		return known.entrySet()
			.stream()
			.sorted(Comparator.comparingInt((Map.Entry<Tier, JobPosition> tier) -> tier.getKey().priority())
				.thenComparing(Map.Entry::getValue))
			.map((tier) -> request(tier.getKey().queue(), capacity(capacities, tier.getKey().queue()),
					new TreeMap<>(Map.of(tier.getKey(), tier.getValue()))))
			.toList();
	}

	private static Capacity capacity(Map<String, Capacity> capacities, String queue) {
		return Objects.requireNonNull(capacities.get(queue));
	}

	/**
	 * Return whether a new job may be claimed by its id. Claims within limits over all
	 * workers take turns. A virtual thread would inherit values of the thread that has
	 * committed the job.
	 */
	boolean isDirect(DueJob job) {
		return isServed(job.wakeUp().tier()) && !this.worker.virtualThreads()
				&& this.types.all().getOrDefault(job.queue(), Set.of()).contains(job.type())
				&& this.settings.apply(job.queue()).limits().isNone();
	}

	/**
	 * Create the request for a claim of a new job by its id.
	 */
	NewJobRequest ofNew(DueJob job) {
		ServedTypes served = this.types;
		QueueSettings settings = this.settings.apply(job.queue());
		AttemptOptions ofType = served.optionsOf(job.queue(), job.type(), settings);
		boolean once = served.once().getOrDefault(job.queue(), Set.of()).contains(job.type());
		return new NewJobRequest(job.id(), job.queue(), job.type(), this.claims.getAsLong(), once,
				Objects.requireNonNullElse(ofType.maxAttempts(), settings.maxAttempts()),
				Objects.requireNonNullElse(ofType.maxRunTime(), settings.maxRunTime()), settings.keepDead());
	}

	private ClaimRequest request(String queue, Capacity capacity, SortedMap<Tier, JobPosition> cursors) {
		return this.types.request(queue, this.settings.apply(queue), this.claims.getAsLong(), capacity, cursors);
	}

}

package io.jobqueue.internal.worker.fetch;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.JobStore.TierBacklog;
import io.jobqueue.internal.store.JobStore.TierBacklog.UnknownJobs;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Sends other nodes signals for the jobs that a poll has found and this worker could not
 * claim: their signals may have been lost.
 */
final class SharedBacklog {

	private static final Logger logger = LoggerFactory.getLogger(SharedBacklog.class);

	private final JobSignals signals;

	private Set<Tier> due = Set.of();

	private final Map<Tier, JobsAvailable> unshared = new LinkedHashMap<>();

	private final Set<Map.Entry<String, String>> unknown = new HashSet<>();

	SharedBacklog(JobSignals signals) {
		this.signals = signals;
	}

	/**
	 * Note the tiers that have become due since the last poll, and log due jobs without a
	 * handler on this node, once for each queue and type.
	 */
	void found(List<TierBacklog> tiers) {
		tiers.forEach(this::warnOfUnknown);
		Set<Tier> before = this.due;
		List<TierBacklog> found = tiers.stream().filter((tier) -> Duration.ZERO.equals(tier.dueIn())).toList();
		this.due = found.stream().map(TierBacklog::tier).collect(Collectors.toSet());
		this.unshared.clear();
		found.stream()
			.filter((tier) -> !before.contains(tier.tier()))
			.forEach((tier) -> this.unshared.put(tier.tier(),
					new JobsAvailable(tier.tier(), tier.position(), Duration.ZERO)));
	}

	/**
	 * Discard the tiers of a queue: this worker has claimed all of its due jobs, or has
	 * sent other nodes a signal for the rest.
	 */
	void leaveNone(String queue) {
		this.unshared.keySet().removeIf((tier) -> tier.queue().equals(queue));
	}

	/**
	 * Send signals for the tiers that are left.
	 */
	void shareRest() {
		if (!this.unshared.isEmpty()) {
			this.signals.publishToOthers(List.copyOf(this.unshared.values()));
			this.unshared.clear();
		}
	}

	private void warnOfUnknown(TierBacklog found) {
		UnknownJobs unknown = found.unknown();
		String queue = found.tier().queue();
		if (unknown != null && this.unknown.add(Map.entry(queue, unknown.type()))) {
			logger.warn(
					"Queue {} has {} of types without a handler on this node, such as '{}'; they wait for a node that has one. If the payload class was renamed, add its old name to the aliases of its @JobType",
					queue, counted(unknown.jobs()), unknown.type());
		}
	}

	private static String counted(long jobs) {
		return ((jobs == UnknownJobs.LOOKED_AT) ? "at least " : "") + LogText.counted(jobs, "due job");
	}

}

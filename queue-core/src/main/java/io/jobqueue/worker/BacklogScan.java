package io.jobqueue.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.LogText;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.JobStore.TierBacklog.UnknownJobs;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * A look at all that there is for a worker, for what no signal told of.
 */
final class BacklogScan {

	private static final Logger logger = LoggerFactory.getLogger(BacklogScan.class);

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final ClaimRequests demands;

	private final ClaimLedger claims;

	private Set<Tier> due = Set.of();

	private final Map<Tier, JobsAvailable> untold = new LinkedHashMap<>();

	private final Set<Map.Entry<String, String>> unknown = new HashSet<>();

	BacklogScan(UUID worker, JobStore store, JobSignals signals, ClaimRequests demands, ClaimLedger claims) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.demands = demands;
		this.claims = claims;
	}

	/**
	 * Look, set the floors, and have somebody expect what is due.
	 * @return what was found
	 */
	List<TierBacklog> run(ClaimCursors floors, AdmissionSchedule gates, Consumer<Tier> expected,
			PollSchedule schedule) {
		this.claims.giveBack(this.worker, this.store, this.signals);
		long start = System.nanoTime();
		List<TierBacklog> tiers = this.store.survey(this.demands.served());
		floors.surveyed(tiers);
		boolean found = false;
		for (TierBacklog tier : tiers) {
			found |= expect(tier.tier(), tier.dueIn(), expected, schedule);
			found |= judge(tier, gates, expected, schedule);
		}
		schedule.polled(found, Duration.ofNanos(System.nanoTime() - start));
		return tiers;
	}

	/**
	 * Note the tiers that have become due since the last poll, for {@link #shareRest},
	 * and log due jobs without a handler here, once for each queue and type.
	 */
	void share(List<TierBacklog> tiers) {
		tiers.forEach(this::warnOfUnknown);
		Set<Tier> before = this.due;
		List<TierBacklog> found = tiers.stream().filter((tier) -> Duration.ZERO.equals(tier.dueIn())).toList();
		this.due = found.stream().map(TierBacklog::tier).collect(Collectors.toSet());
		this.untold.clear();
		found.stream()
			.filter((tier) -> !before.contains(tier.tier()))
			.forEach((tier) -> this.untold.put(tier.tier(),
					new JobsAvailable(tier.tier(), tier.floor(), Duration.ZERO)));
	}

	/**
	 * Note that this worker has claimed all due jobs of a queue, or has sent other nodes
	 * a signal for the rest.
	 */
	void leaveNone(String queue) {
		this.untold.keySet().removeIf((tier) -> tier.queue().equals(queue));
	}

	/**
	 * Tell other nodes of what the last poll has found and this worker could not claim.
	 * Their signals may have been lost.
	 */
	void shareRest() {
		if (!this.untold.isEmpty()) {
			this.signals.tellOthers(List.copyOf(this.untold.values()));
			this.untold.clear();
		}
	}

	private static boolean judge(TierBacklog surveyed, AdmissionSchedule gates, Consumer<Tier> expected,
			PollSchedule schedule) {
		Duration judgeIn = surveyed.judgeIn();
		if (judgeIn != null) {
			gates.openWithin(surveyed.tier().queue(), judgeIn);
		}
		return expect(surveyed.tier(), judgeIn, expected, schedule);
	}

	private static boolean expect(Tier tier, @Nullable Duration dueIn, Consumer<Tier> expected, PollSchedule schedule) {
		boolean due = dueIn != null && dueIn.isZero();
		if (due) {
			expected.accept(tier);
		}
		else if (dueIn != null) {
			schedule.lookWithin(dueIn);
		}
		return due;
	}

	private void warnOfUnknown(TierBacklog surveyed) {
		UnknownJobs unknown = surveyed.unknown();
		String queue = surveyed.tier().queue();
		if (unknown != null && this.unknown.add(Map.entry(queue, unknown.type()))) {
			logger.warn(
					"Queue {} holds {} of types which no handler here knows, such as '{}'; they are left for a node that has one",
					queue, counted(unknown.jobs()), unknown.type());
		}
	}

	private static String counted(long jobs) {
		return ((jobs == UnknownJobs.LOOKED_AT) ? "at least " : "") + LogText.counted(jobs, "due job");
	}

}

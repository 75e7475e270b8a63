package io.jobqueue.worker.fetch;

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
import io.jobqueue.worker.completion.ClaimLedger;

/**
 * Reads the backlog of all tiers that a worker serves, and thereby finds the jobs whose
 * signals were lost.
 */
final class BacklogScan {

	private static final Logger logger = LoggerFactory.getLogger(BacklogScan.class);

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final ClaimRequests requests;

	private final ClaimLedger claims;

	private Set<Tier> due = Set.of();

	private final Map<Tier, JobsAvailable> unshared = new LinkedHashMap<>();

	private final Set<Map.Entry<String, String>> unknown = new HashSet<>();

	BacklogScan(UUID worker, JobStore store, JobSignals signals, ClaimRequests requests, ClaimLedger claims) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.requests = requests;
		this.claims = claims;
	}

	/**
	 * Read the backlog, reset the cursors to it, and pass the tiers with due jobs to
	 * {@code expected}.
	 * @return the backlog of each tier
	 */
	List<TierBacklog> run(ClaimCursors cursors, AdmissionSchedule admissions, Consumer<Tier> expected,
			PollSchedule schedule) {
		this.claims.release(this.worker, this.store, this.signals);
		long start = System.nanoTime();
		List<TierBacklog> tiers = this.store.scanBacklog(this.requests.served());
		cursors.reset(tiers);
		boolean found = false;
		for (TierBacklog tier : tiers) {
			found |= expect(tier.tier(), tier.dueIn(), expected, schedule);
			found |= expectAdmission(tier, admissions, expected, schedule);
		}
		schedule.polled(found, Duration.ofNanos(System.nanoTime() - start));
		return tiers;
	}

	/**
	 * Note the tiers that have become due since the last poll, for {@link #shareRest},
	 * and log due jobs without a handler on this node, once for each queue and type.
	 */
	void share(List<TierBacklog> tiers) {
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
	 * Send other nodes a signal for the jobs that the last scan has found and this worker
	 * could not claim. Their signals may have been lost.
	 */
	void shareRest() {
		if (!this.unshared.isEmpty()) {
			this.signals.publishToOthers(List.copyOf(this.unshared.values()));
			this.unshared.clear();
		}
	}

	private static boolean expectAdmission(TierBacklog found, AdmissionSchedule admissions, Consumer<Tier> expected,
			PollSchedule schedule) {
		Duration admitIn = found.admitIn();
		if (admitIn != null) {
			admissions.openWithin(found.tier().queue(), admitIn);
		}
		return expect(found.tier(), admitIn, expected, schedule);
	}

	private static boolean expect(Tier tier, @Nullable Duration dueIn, Consumer<Tier> expected, PollSchedule schedule) {
		boolean due = dueIn != null && dueIn.isZero();
		if (due) {
			expected.accept(tier);
		}
		else if (dueIn != null) {
			schedule.claimWithin(dueIn);
		}
		return due;
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

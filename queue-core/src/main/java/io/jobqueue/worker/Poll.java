package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.SurveyedTier;
import io.jobqueue.store.Tier;

/**
 * A look at all that there is for a worker, for what no signal told of.
 */
final class Poll {

	private static final Logger logger = LoggerFactory.getLogger(Poll.class);

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final Demands demands;

	private final UnseenClaims unseen;

	private final Set<Map.Entry<String, String>> reportedTypes = new HashSet<>();

	Poll(UUID worker, JobStore store, JobSignals signals, Demands demands, UnseenClaims unseen) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.demands = demands;
		this.unseen = unseen;
	}

	/**
	 * Look, set the floors, and expect what is due.
	 */
	void run(Floors floors, Gates gates, Lanes lanes, PollSchedule schedule) {
		giveBackUnseen();
		long start = System.nanoTime();
		List<SurveyedTier> tiers = this.store.survey(this.demands.served());
		floors.surveyed(tiers);
		tiers.forEach(this::report);
		boolean found = false;
		for (SurveyedTier tier : tiers) {
			found |= expect(tier.tier(), tier.dueIn(), lanes, schedule);
			found |= judge(tier, gates, lanes, schedule);
		}
		schedule.polled(found, Duration.ofNanos(System.nanoTime() - start));
	}

	void giveBackUnseen() {
		Collection<Long> suspects = this.unseen.suspects();
		if (!suspects.isEmpty()) {
			this.signals.tellOthers(this.store.giveBack(this.worker, suspects));
			this.unseen.givenBack();
		}
	}

	private static boolean judge(SurveyedTier surveyed, Gates gates, Lanes lanes, PollSchedule schedule) {
		Duration judgeIn = surveyed.judgeIn();
		if (judgeIn != null) {
			gates.openWithin(surveyed.tier().queue(), judgeIn);
		}
		return expect(surveyed.tier(), judgeIn, lanes, schedule);
	}

	private static boolean expect(Tier tier, @Nullable Duration dueIn, Lanes lanes, PollSchedule schedule) {
		boolean due = dueIn != null && dueIn.isZero();
		if (due) {
			lanes.expect(tier);
		}
		else if (dueIn != null) {
			schedule.lookWithin(dueIn);
		}
		return due;
	}

	private void report(SurveyedTier surveyed) {
		String type = surveyed.unknownType();
		String queue = surveyed.tier().queue();
		if (type != null && this.reportedTypes.add(Map.entry(queue, type))) {
			logger.warn(
					"Queue {} holds due jobs of type '{}', which no handler here knows; they are left for a node that has one",
					queue, type);
		}
	}

}

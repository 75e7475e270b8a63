package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.SurveyedTier;
import io.jobqueue.store.Tier;

/**
 * A look at all that there is for a worker, for what no signal told of.
 */
final class Poll {

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final Demands demands;

	private final UnseenClaims unseen;

	private final Consumer<SurveyedTier> witness;

	/**
	 * Create a poll.
	 * @param witness who is shown what was found
	 */
	Poll(UUID worker, JobStore store, JobSignals signals, Demands demands, UnseenClaims unseen,
			Consumer<SurveyedTier> witness) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.demands = demands;
		this.unseen = unseen;
		this.witness = witness;
	}

	/**
	 * Look, set the floors, and have somebody expect what is due.
	 */
	void run(Floors floors, Gates gates, Consumer<Tier> expected, PollSchedule schedule) {
		giveBackUnseen();
		long start = System.nanoTime();
		List<SurveyedTier> tiers = this.store.survey(this.demands.served());
		floors.surveyed(tiers);
		tiers.forEach(this.witness);
		boolean found = false;
		for (SurveyedTier tier : tiers) {
			found |= expect(tier.tier(), tier.dueIn(), expected, schedule);
			found |= judge(tier, gates, expected, schedule);
		}
		schedule.polled(found, Duration.ofNanos(System.nanoTime() - start));
	}

	void giveBackUnseen() {
		this.unseen.giveBack(this.worker, this.store, this.signals);
	}

	private static boolean judge(SurveyedTier surveyed, Gates gates, Consumer<Tier> expected, PollSchedule schedule) {
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

}

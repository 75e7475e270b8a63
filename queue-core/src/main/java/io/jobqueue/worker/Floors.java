package io.jobqueue.worker;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.Position;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.SurveyedTier;
import io.jobqueue.store.Tier;

/**
 * Where a claim begins to look in each tier. What lies before that place has been
 * claimed, is being claimed by another worker or is not for this one, and costs nothing,
 * not even while an open transaction keeps the dead rows. Whatever arrives before it
 * later, because it was committed late or came back, lowers the floor with its signal;
 * for those whose signal is lost, or whose claim was rolled back, there is the next
 * survey.
 */
final class Floors {

	private final Predicate<Tier> served;

	private final TreeMap<Tier, Position> floors = new TreeMap<>();

	private final Map<Tier, Position> lowered = new HashMap<>();

	Floors(Predicate<Tier> served) {
		this.served = served;
	}

	/**
	 * Lower a floor from the next claim on: the one under way does not see what arrives
	 * now.
	 * @return whether this worker serves the tier
	 */
	synchronized boolean lower(Arrival arrival) {
		boolean relevant = this.served.test(arrival.tier());
		if (relevant) {
			this.lowered.merge(arrival.tier(), arrival.position(), Position::earlier);
		}
		return relevant;
	}

	/**
	 * Begin anew where a look from the beginning has found the first jobs.
	 */
	synchronized void surveyed(Collection<SurveyedTier> tiers) {
		this.floors.clear();
		tiers.forEach((tier) -> this.floors.put(tier.tier(), tier.floor()));
	}

	/**
	 * Return the floors of a queue, up to a priority.
	 */
	synchronized SortedMap<Tier, Position> of(String queue, int maxPriority) {
		lowerFloorsOf(queue);
		return new TreeMap<>(this.floors.subMap(new Tier(queue, 0), new Tier(queue, maxPriority + 1)));
	}

	/**
	 * Those of other queues are for the claim that takes their floors.
	 */
	private void lowerFloorsOf(String queue) {
		this.lowered.forEach((tier, position) -> {
			if (tier.queue().equals(queue)) {
				this.floors.merge(tier, position, Position::earlier);
			}
		});
		this.lowered.keySet().removeIf((tier) -> tier.queue().equals(queue));
	}

	/**
	 * Raise the floors to where a claim got to: where it left nothing, to the time of the
	 * claim; where it had enough, to its last job; and nowhere past a job that was
	 * withheld. A job that slipped away during the claim leaves them where they are.
	 */
	synchronized void raise(QueueDemand demand, ClaimedJobs claimed) {
		Instant at = claimed.at();
		if (at == null || claimed.missed()) {
			return;
		}
		TreeMap<Tier, Position> last = new TreeMap<>();
		claimed.jobs().forEach((job) -> last.merge(job.tier(), job.position(), Position::later));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), Position::later));
		boolean enough = claimed.jobs().size() + claimed.withheld().size() >= demand.quota();
		SortedMap<Tier, Position> reached = enough ? demand.floors().headMap(last.lastKey()) : demand.floors();
		reached.keySet().forEach((tier) -> last.put(tier, Position.at(at)));
		claimed.withheld().forEach((job) -> last.merge(job.tier(), job.position(), Position::earlier));
		last.forEach((tier, position) -> this.floors.merge(tier, position, Position::later));
	}

}

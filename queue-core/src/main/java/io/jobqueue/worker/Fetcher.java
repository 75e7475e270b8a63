package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.signal.JobSignal;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.Outlook;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.worker.Lane.Room;

/**
 * Claims jobs for all lanes of a worker: again at once while there are more, otherwise
 * when a signal, a free handler, the next run-at or the poll interval calls for it.
 */
final class Fetcher implements Runnable, JobSignals.Listener {

	private static final Logger logger = LoggerFactory.getLogger(Fetcher.class);

	private final UUID worker;

	private final JobStore store;

	private final Map<String, Lane> lanes;

	private final Demands demands;

	private final OpenClaims claims;

	private final UnseenClaims unseen;

	private final PollSchedule schedule;

	private final Waiter waiter = new Waiter();

	private final Outage outage = new Outage(logger, "Claiming jobs");

	private final Set<Map.Entry<String, String>> reportedTypes = new HashSet<>();

	private volatile boolean closed;

	Fetcher(UUID worker, JobStore store, Map<String, Lane> lanes, Demands demands, OpenClaims claims,
			UnseenClaims unseen, PollSchedule schedule) {
		this.worker = worker;
		this.store = store;
		this.lanes = lanes;
		this.demands = demands;
		this.claims = claims;
		this.unseen = unseen;
		this.schedule = schedule;
	}

	@Override
	public void run() {
		while (!this.closed) {
			try {
				this.waiter.sleep(stepSafely());
			}
			catch (InterruptedException ex) {
				logger.debug("The fetcher was interrupted", ex);
			}
		}
	}

	private Duration stepSafely() throws InterruptedException {
		try {
			Duration pause = step();
			this.outage.over();
			return pause;
		}
		catch (Throwable ex) {
			this.schedule.within(Duration.ZERO);
			Thread.sleep(this.outage.failed(ex).toMillis());
			return Duration.ZERO;
		}
	}

	/**
	 * Claim what the lanes have room for.
	 * @return how long to wait for a call
	 */
	Duration step() {
		if (this.schedule.isDue()) {
			giveBackUnseen();
			this.lanes.values().forEach(Lane::expectMore);
			this.schedule.looked(false);
		}
		Map<Lane, Room> rooms = rooms();
		return rooms.isEmpty() ? this.schedule.remaining() : claim(rooms);
	}

	private Map<Lane, Room> rooms() {
		Map<Lane, Room> rooms = new LinkedHashMap<>();
		for (Lane lane : this.lanes.values()) {
			Room room = lane.reserve();
			if (room.total() > 0) {
				rooms.put(lane, room);
			}
		}
		return rooms;
	}

	private Duration claim(Map<Lane, Room> rooms) {
		List<QueueDemand> demanded = this.demands.of(rooms);
		ClaimedJobs claimed = claim(demanded);
		this.claims.open(claimed.jobs());
		if (handOut(claimed, rooms)) {
			return Duration.ZERO;
		}
		if (!claimed.jobs().isEmpty()) {
			this.schedule.looked(true);
		}
		lookAhead();
		return this.schedule.remaining();
	}

	private ClaimedJobs claim(List<QueueDemand> demanded) {
		try {
			return this.store.claim(this.worker, demanded);
		}
		catch (RuntimeException | Error ex) {
			this.unseen.add(demanded);
			throw ex;
		}
	}

	private void giveBackUnseen() {
		Collection<Long> suspects = this.unseen.suspects();
		if (!suspects.isEmpty()) {
			this.store.giveBack(this.worker, suspects);
			this.unseen.givenBack();
		}
	}

	private boolean handOut(ClaimedJobs claimed, Map<Lane, Room> rooms) {
		Map<String, List<ClaimedJob>> jobs = claimed.jobs().stream().collect(Collectors.groupingBy(ClaimedJob::queue));
		boolean more = false;
		for (Map.Entry<Lane, Room> entry : rooms.entrySet()) {
			Lane lane = entry.getKey();
			List<ClaimedJob> taken = jobs.getOrDefault(lane.queue(), List.of());
			boolean full = taken.size() >= entry.getValue().total();
			boolean withheld = claimed.withheld().contains(lane.queue());
			lane.take(taken, full || withheld, withheld);
			more |= full || withheld;
		}
		return more;
	}

	private void lookAhead() {
		Outlook outlook = this.store.outlook(this.demands.ofAll(this.lanes.values()));
		if (outlook.nextDueIn() != null) {
			this.schedule.within(outlook.nextDueIn());
		}
		outlook.unknownTypes()
			.entrySet()
			.stream()
			.filter(this.reportedTypes::add)
			.forEach((unknown) -> logger.warn(
					"Queue {} holds due jobs of type '{}', which no handler here knows; they are left for a node that has one",
					unknown.getKey(), unknown.getValue()));
	}

	@Override
	public void onCommit(Collection<JobSignal> signals) {
		for (JobSignal signal : signals) {
			Lane lane = this.lanes.get(signal.queue());
			if (lane != null && signal.dueIn().isZero()) {
				lane.expectMore();
			}
			else if (lane != null) {
				this.schedule.within(signal.dueIn());
			}
		}
		wake();
	}

	void pollNow() {
		this.lanes.values().forEach(Lane::expectMore);
		wake();
	}

	void wake() {
		this.waiter.wake();
	}

	void close() {
		this.closed = true;
		wake();
	}

}

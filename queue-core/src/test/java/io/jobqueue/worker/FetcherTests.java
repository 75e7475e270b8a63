package io.jobqueue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.RetryDecision;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJobs;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.QueueDemand;
import io.jobqueue.store.ServedQueue;
import io.jobqueue.store.SurveyedTier;
import io.jobqueue.store.Written;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a fetcher does when the database fails during a poll.
 */
class FetcherTests implements JobStore {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final QueueSettings SETTINGS = new QueueSettings(1, 1, HOUR, (failure) -> RetryDecision.giveUp(),
			null, null);

	private static final WorkerSettings WORKER = new WorkerSettings("node", 0, 99, HOUR, HOUR, HOUR, HOUR, HOUR, false);

	private final CountDownLatch looks = new CountDownLatch(2);

	@Test
	void pollsAgainAfterAFailure() throws Exception {
		PollSchedule schedule = new PollSchedule(HOUR, HOUR, () -> false);
		Lane lane = new Lane("emails", 1, Runnable::run, new LaneTests());
		Demands demands = new Demands(Map.of(), (queue) -> SETTINGS, WORKER);
		Fetcher fetcher = new Fetcher(UUID.randomUUID(), this, new JobSignals(), new Lanes(List.of(lane)), demands,
				new OpenClaims(), new UnseenClaims(HOUR), schedule);
		Thread thread = new Thread(fetcher);
		thread.start();
		assertThat(this.looks.await(10, TimeUnit.SECONDS)).isTrue();
		fetcher.close();
		thread.join();
	}

	@Override
	public List<SurveyedTier> survey(Collection<ServedQueue> queues) {
		this.looks.countDown();
		if (this.looks.getCount() > 0) {
			throw new DataAccessResourceFailureException("The database is gone");
		}
		return List.of();
	}

	@Override
	public ClaimedJobs claim(UUID worker, Collection<QueueDemand> demands) {
		throw new AssertionError("No job is known of");
	}

	@Override
	public Collection<Arrival> enqueue(List<NewJob> jobs) {
		throw new AssertionError("Nothing is enqueued");
	}

	@Override
	public Collection<Arrival> giveBack(UUID worker, Collection<Long> claims) {
		throw new AssertionError("No claim is unseen");
	}

	@Override
	public boolean renew(UUID worker, ClaimedJob job, Duration duration) {
		throw new AssertionError("No job is held");
	}

	@Override
	public Written settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims) {
		throw new AssertionError("No job is settled");
	}

}

package io.jobqueue.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RetryDecision;
import io.jobqueue.context.JobMdc;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.Consequences;
import io.jobqueue.store.KeyRules;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Written;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of outcomes when the settler is disturbed.
 */
class SettlerTests extends UncalledJobStore {

	private static final QueueSettings SETTINGS = new QueueSettings(1, 1, Duration.ofHours(1), null,
			(failure) -> RetryDecision.giveUp(), null, false, null, null, ClusterLimits.NONE, KeyRules.NONE);

	private final CountDownLatch failed = new CountDownLatch(1);

	private final CountDownLatch written = new CountDownLatch(1);

	@Test
	void interruptedWriteIsMadeUpFor() throws Exception {
		JobMdc mdc = new JobMdc("node");
		Settler settler = new Settler(new OutcomeWriter(UUID.randomUUID(), this, new OpenClaims(),
				new Probes((queue) -> SETTINGS), mdc, List.of()), mdc);
		Thread thread = new Thread(settler);
		thread.start();
		ClaimedJob job = new ClaimedJob(UUID.randomUUID(), 1, "emails", "mail", Encoded.ofText("{}"), 10, Instant.EPOCH,
				1, 1, 0, 25, Duration.ofHours(1), Instant.EPOCH, null, null, null, null, false);
		settler.submit(new Settled(job, new Completed(job.id(), job.claim(), null, null), null, null));
		assertThat(this.failed.await(10, TimeUnit.SECONDS)).isTrue();
		thread.interrupt();
		settler.close();
		thread.join();
		assertThat(this.written.getCount()).isZero();
	}

	@Override
	public Written settle(UUID worker, Collection<? extends Outcome> outcomes, Collection<Long> endedClaims,
			Consequences consequences) {
		if (this.failed.getCount() > 0) {
			this.failed.countDown();
			throw new DataAccessResourceFailureException("The database is gone");
		}
		this.written.countDown();
		return new Written(Set.copyOf(outcomes.stream().map(Outcome::id).toList()), List.of(), Set.of());
	}

}

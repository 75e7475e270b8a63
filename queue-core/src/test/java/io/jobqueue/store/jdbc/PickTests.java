package io.jobqueue.store.jdbc;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobKeys;
import io.jobqueue.store.KeyRules;
import io.jobqueue.store.NewJob;
import io.jobqueue.store.Picked;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job is claimed by its id, or left as it was.
 */
class PickTests extends KeyTestBase {

	@Test
	void jobIsLetInAndClaimed() {
		UUID job = addLater();
		assertThat(pick(worker(), job).claimed().jobs()).extracting(ClaimedJob::id).containsExactly(job);
		assertThat(column("state", job, String.class)).isEqualTo("RUNNING");
	}

	/**
	 * Others would take what was let in for nothing.
	 */
	@Test
	void jobIsNotLetInForSomebodyWhoMustNotClaim() {
		UUID job = addLater();
		Picked picked = pick(UUID.randomUUID(), job);
		assertThat(picked.claimed().refused()).isTrue();
		assertThat(picked.admitted()).isEmpty();
		assertThat(column("state", job, String.class)).isEqualTo("SCHEDULED");
		assertThat(claim(worker(), demand("emails", 1))).isEmpty();
	}

	private Picked pick(UUID worker, UUID job) {
		return this.jobs.claimOne(worker, job, demand("emails", 1), KeyRules.NONE);
	}

	private UUID addLater() {
		return add(new NewJob(UUID.randomUUID(), "emails", "mail", Encoded.ofText(OLD), 10, null, LONG, null, null,
				null, new JobKeys(null, "customer", null, null)))
			.id();
	}

}

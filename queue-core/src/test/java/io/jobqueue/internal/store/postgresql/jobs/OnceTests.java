package io.jobqueue.internal.store.postgresql.jobs;

import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * JobClaims of jobs that are delivered at most once.
 */
@Tag("pooler") // statements of the store
class OnceTests extends StoreTestBase {

	@Test
	void areClaimedForFreeHandlersOnly() {
		enqueue("emails", 5);
		ClaimResult claimed = this.jobs.claim(worker(), once(2, 9));
		assertThat(claimed.jobs()).hasSize(2).allMatch(ClaimedJob::atMostOnce).allMatch(ClaimedJob::isLastAttempt);
		assertThat(claimed.withheld()).hasSize(3);
		assertThat(claimed.missed()).isFalse();
	}

	@Test
	void otherTypesOfTheQueueAreClaimedInAdvance() {
		enqueue("emails", 5);
		UUID worker = worker();
		ClaimRequest request = request().types("mail", "alarm").onceTypes("alarm").free(0).prefetch(9).build();
		assertThat(claim(worker, request)).hasSize(5).noneMatch(ClaimedJob::atMostOnce);
	}

	@Test
	void crashOfTheWorkerIsFinal() {
		UUID job = enqueue("emails", 1).get(0);
		UUID worker = worker();
		claim(worker, once(1, 0));
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() - interval '1 day'").update();
		this.stores.maintenance().reap(null);
		assertThat(column("state", job, String.class)).isEqualTo("DEAD");
		assertThat(column("last_error", job, String.class)).startsWith("Lost in a crash");
	}

	/**
	 * A job that waits again may have another handler by now.
	 */
	@Test
	void releasedJobMayRunAgainUnderAnotherHandler() {
		UUID job = enqueue("emails", 1).get(0);
		UUID worker = worker();
		recordOutcomes(worker, Outcomes.released(claim(worker, once(1, 0)).get(0)));
		claim(worker, request("emails", 1));
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() - interval '1 day'").update();
		this.stores.maintenance().reap(null);
		assertThat(column("state", job, String.class)).isEqualTo("READY");
	}

	private ClaimRequest once(int free, int prefetch) {
		return request().onceTypes("mail").free(free).prefetch(prefetch).build();
	}

}

package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.ClaimRequest.AttemptLimits;
import io.jobqueue.internal.store.ClaimedJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Types have limits of their own, below those of a job and above those of the queue.
 */
class TypeLimitTests extends StoreTestBase {

	private static final Duration LONG = Duration.ofHours(10);

	private static final Map<String, AttemptLimits> LIMITS = Map.of("alarm", new AttemptLimits(1, LONG), "fax",
			new AttemptLimits(null, LONG), "report", new AttemptLimits(0, null));

	@Test
	void claimedJobHasTheLimitsOfItsTypeUnlessItHasItsOwn() {
		List.of("alarm", "fax", "report", "mail").forEach(this::add);
		enqueue(job("emails", "alarm", 10, null, Duration.ZERO, 7));
		List<ClaimedJob> claimed = claim(worker(), request(5, 0));
		assertThat(claimed).extracting(ClaimedJob::type)
			.containsExactlyInAnyOrder("alarm", "fax", "report", "mail", "alarm");
		assertThat(claimed).extracting((job) -> job.type() + " " + job.maxAttempts())
			.containsExactlyInAnyOrder("alarm 1", "fax 25", "report 0", "mail 25", "alarm 7");
		assertThat(claimed).allMatch((job) -> job.maxRunTime()
			.equals(List.of("alarm", "fax").contains(job.type()) ? LONG : Duration.ofMinutes(30)));
		assertThat(count("jobqueue_job WHERE lease_until > statement_timestamp() + interval '9 hours'")).isEqualTo(3);
	}

	@Test
	void lastAttemptOfATypeIsNotClaimedInAdvance() {
		add("alarm");
		add("mail");
		assertThat(claim(worker(), request(0, 5))).extracting(ClaimedJob::type).containsExactly("mail");
	}

	@Test
	void lostJobIsDeadAfterTheAttemptsOfItsType() {
		UUID alarm = add("alarm");
		UUID mail = add("mail");
		UUID worker = worker();
		claim(worker, request(5, 0));
		fallSilent(worker);
		this.maintenance.reap(null);
		assertThat(column("state", alarm, String.class)).isEqualTo("DEAD");
		assertThat(column("state", mail, String.class)).isNotEqualTo("DEAD");
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	void claimWithoutLimitsOfTypesKeepsNone() {
		add("mail");
		claim(worker(), request("emails", 5));
		assertThat(count("jobqueue_claim WHERE limited_types IS NULL AND type_max_attempts IS NULL")).isOne();
	}

	private UUID add(String type) {
		return enqueue(job("emails", type, 10, null, Duration.ZERO, null));
	}

	private ClaimRequest request(int free, int prefetch) {
		return request().types("alarm", "fax", "report", "mail")
			.free(free)
			.prefetch(prefetch)
			.typeLimits(LIMITS)
			.build();
	}

}

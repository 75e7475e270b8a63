package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Ages of queues in which no attempt ends.
 */
class AgeRecorderTests extends StoreTestBase {

	@Test
	void oldestDueJobOfEachQueueAndClassIsRecorded() {
		insert("emails", 10, "-90 s");
		insert("emails", 19, "-100 s");
		insert("emails", 20, "-80 s");
		insert("letters", 10, "-70 s");
		recordAges();
		List<StatisticsStep> steps = this.stores.statistics().read(Duration.ofHours(1), Duration.ofDays(1), null);
		assertThat(steps).extracting((step) -> step.statistics().queue(), (step) -> step.statistics().priority())
			.containsExactly(tuple("emails", PriorityClass.USER_VISIBLE), tuple("emails", PriorityClass.EVENTUAL),
					tuple("letters", PriorityClass.USER_VISIBLE));
		assertThat(steps).extracting((step) -> step.age().toSeconds()).satisfies((ages) -> {
			assertThat(ages.get(0)).isBetween(100L, 109L);
			assertThat(ages.get(1)).isBetween(80L, 89L);
			assertThat(ages.get(2)).isBetween(70L, 79L);
		});
	}

	@Test
	void nothingIsRecordedOfQueuesWithoutDelay() {
		insert("emails", 10, "-0.5 s");
		insert("emails", 20, "1 hour");
		recordAges();
		assertThat(count("jobqueue_statistics")).isZero();
	}

	/**
	 * A store may begin where its last scan has found a job.
	 */
	private void recordAges() {
		new AgeRecorder(this.stores.monitoring(), this.stores.statistics()).runOnce();
	}

	private void insert(String queue, int priority, String dueIn) {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (gen_random_uuid(), now() + ?::interval, now(), ?, ?, 'mail', '{}')
				""").params(dueIn, priority, queue).update();
	}

}
